import { formatCount, plural } from '../../lib/format.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';

interface DeleteFilesDialogProps {
  /** Names of the selected files, by id. */
  selected: ReadonlyMap<string, string>;
  open: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** Names shown before the rest becomes a number. */
const mostNames = 5;

/** Asks before several reports are deleted; names how many, and which (spec 2, Confirmation dialogs). */
export function DeleteFilesDialog({ selected, open, onClose, onConfirm }: DeleteFilesDialogProps) {
  const names = [...selected.values()];
  const rest = names.length - mostNames;
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Are you absolutely sure?"
      description={`This action cannot be undone. This will permanently delete ${plural(names.length, 'selected file')} and all associated data.`}
      confirmLabel={`Delete ${plural(names.length, 'file')}`}
      danger
      onConfirm={onConfirm}
    >
      <ul className="text-sm">
        {names.slice(0, mostNames).map((name) => (
          <li key={name} className="truncate" title={name}>
            {name}
          </li>
        ))}
        {rest > 0 && <li className="text-muted">and {formatCount(rest)} more</li>}
      </ul>
    </AlertDialog>
  );
}
