import { imports, type CsvImport } from '@riskboard/contract';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { isRunning, isWritten } from '../import-labels.ts';
import { useImportActions } from './use-import-actions.ts';

interface DeleteImportProps {
  csv: CsvImport;
  /** In a row of a list. */
  isIcon?: boolean;
  onDeleted?: () => void;
}

/** Deletes an import with its file and report; the imported records stay. */
export function DeleteImport({ csv, isIcon = false, onDeleted }: DeleteImportProps) {
  const [isAsking, setIsAsking] = useState(false);
  const role = useRefusal(imports.delete.access);
  const { remove, busy } = useImportActions(csv);
  const refusal = role ?? (isRunning(csv.state) ? 'A job is running. Cancel it first.' : undefined);
  const icon = <Trash2 aria-hidden size={14} />;
  return (
    <>
      {isIcon ? (
        <IconButton
          size="sm"
          label={`Delete the import of ${csv.fileName}`}
          icon={icon}
          disabledReason={refusal}
          onClick={() => setIsAsking(true)}
        />
      ) : (
        <ButtonWithReason icon={icon} busy={busy} disabledReason={refusal} onClick={() => setIsAsking(true)}>
          Delete import
        </ButtonWithReason>
      )}
      <AlertDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Delete this import?"
        description={
          isWritten(csv.state)
            ? `The file ${csv.fileName} and its report will be deleted. The imported records stay, and the import can no longer be undone.`
            : `The file ${csv.fileName} and its report will be deleted.`
        }
        confirmLabel="Delete import"
        danger
        onConfirm={() => remove(() => onDeleted?.())}
      />
    </>
  );
}
