import { reports } from '@riskboard/contract';
import { Upload } from 'lucide-react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { uploads } from './transfer/upload-store.ts';
import { uploadDialog } from './upload-dialog-state.ts';

/** Opens the upload dialog for the missing files of a batch. */
export function ContinueUpload({ batchId }: { batchId: string }) {
  return (
    <ButtonWithReason
      variant="primary"
      icon={<Upload aria-hidden size={14} />}
      disabledReason={useRefusal(reports.upload.access)}
      onClick={() => {
        uploads.continueBatch(batchId);
        uploadDialog.set(true);
      }}
    >
      Continue the upload
    </ButtonWithReason>
  );
}
