import { reports, type Batch } from '@riskboard/contract';
import { Upload } from 'lucide-react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { continuedBatch, uploadDialog } from './upload-dialog-state.ts';

/** Opens the upload dialog for the missing files of a batch; not the primary action while someone else sends them. */
export function ContinueUpload({ batch }: { batch: Batch }) {
  return (
    <ButtonWithReason
      variant={batch.uploading ? 'secondary' : 'primary'}
      icon={<Upload aria-hidden size={14} />}
      disabledReason={useRefusal(reports.upload.access)}
      onClick={() => {
        continuedBatch.set(batch);
        uploadDialog.set(true);
      }}
    >
      Continue the upload
    </ButtonWithReason>
  );
}
