import type { ReportFile } from '@riskboard/contract';
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx';
import { useFileActions } from './use-file-actions.ts';

interface DeleteFileDialogProps {
  file: ReportFile;
  open: boolean;
  onClose: () => void;
  /** Called when the file is gone. */
  onDeleted: () => void;
}

/** Asks before a report is deleted (spec 2, Confirmation dialogs). */
export function DeleteFileDialog({ file, open, onClose, onDeleted }: DeleteFileDialogProps) {
  const { remove } = useFileActions();
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Are you absolutely sure?"
      description="This action cannot be undone. This will permanently delete the file and all associated data."
      confirmLabel="Delete"
      danger
      onConfirm={async () => {
        if (await remove(file)) onDeleted();
      }}
    >
      <p className="truncate text-sm font-medium" title={file.originalFilename}>
        {file.originalFilename}
      </p>
    </AlertDialog>
  );
}
