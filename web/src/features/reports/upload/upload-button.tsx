import { reports } from '@riskboard/contract';
import { Upload } from 'lucide-react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { uploadDialog } from './upload-dialog-state.ts';

/** The first action of an empty list: opens the upload dialog. */
export function UploadButton() {
  return (
    <ButtonWithReason
      icon={<Upload aria-hidden size={16} />}
      disabledReason={useRefusal(reports.upload.access)}
      onClick={() => uploadDialog.set(true)}
    >
      Upload STIX/TAXII
    </ButtonWithReason>
  );
}
