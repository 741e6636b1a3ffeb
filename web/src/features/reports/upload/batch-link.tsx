import { Link } from '@tanstack/react-router';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import type { Upload } from './transfer/upload.ts';
import { uploadDialog } from './upload-dialog-state.ts';

/** Leads to the newest batch of the uploads. */
export function BatchLink({ uploads }: { uploads: readonly Upload[] }) {
  const batchId = uploads.findLast((upload) => upload.batchId !== null)?.batchId ?? null;
  if (batchId === null) return null;
  return (
    <Link
      to="/dashboard/batches/$batchId"
      params={{ batchId }}
      className={`self-start text-sm ${loneLinkStyle}`}
      onClick={() => uploadDialog.set(false)}
    >
      View batch
    </Link>
  );
}
