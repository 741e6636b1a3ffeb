import { formatCount, plural } from '../../lib/format/format.ts';
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx';

interface DeleteFilesDialogProps {
  /** Files that are selected. */
  count: number;
  /** Names of those that were seen. */
  names: readonly string[];
  open: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** Names shown before the rest becomes a number. */
const mostNames = 5;

/** Asks before several reports are deleted; names how many, and which (spec 2, Confirmation dialogs). */
export function DeleteFilesDialog({ count, names, open, onClose, onConfirm }: DeleteFilesDialogProps) {
  const shown = names.slice(0, mostNames);
  const rest = count - shown.length;
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Are you absolutely sure?"
      description={`This action cannot be undone. This will permanently delete ${plural(count, 'selected file')} and all associated data.`}
      confirmLabel={`Delete ${plural(count, 'file')}`}
      danger
      onConfirm={onConfirm}
    >
      <ul className="text-sm">
        {shown.map((name) => (
          <li key={name} className="truncate" title={name}>
            {name}
          </li>
        ))}
        {rest > 0 && <li className="text-muted">and {formatCount(rest)} more</li>}
      </ul>
    </AlertDialog>
  );
}
