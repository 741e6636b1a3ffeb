import { reports } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { LazyAlertDialog } from '../../../ui/dialog/lazy-alert-dialog.ts';
import type { Selected } from '../../../ui/list/use-selection.ts';
import { useFileActions } from '../use-file-actions.ts';

/** Deletes the selected files after a confirmation (spec 2, 'Delete Selected (n)'). */
function DeleteSelected({ selected }: { selected: Selected }) {
  const { removeMany } = useFileActions();
  const [deleting, setDeleting] = useState(false);
  const refusal = useRefusal(reports.deleteFiles.access);
  const { count, names, selection, clear } = selected;

  async function remove() {
    if (await removeMany(selection)) clear();
  }

  return (
    <>
      <ButtonWithReason
        size="sm"
        variant="danger"
        disabledReason={refusal}
        icon={<Trash2 aria-hidden size={14} />}
        onClick={() => setDeleting(true)}
      >
        Delete Selected ({formatCount(count)})
      </ButtonWithReason>
      <DeleteFilesDialog
        count={count}
        names={names}
        open={deleting}
        onClose={() => setDeleting(false)}
        onConfirm={remove}
      />
    </>
  );
}

/** Bulk actions on selected files. */
export const deleteSelected = (selected: Selected) => <DeleteSelected selected={selected} />;

interface DeleteFilesDialogProps {
  /** Number of selected files. */
  count: number;
  /** Names of the selected files that were on a loaded page. */
  names: readonly string[];
  open: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** Names that the dialog lists; it counts the rest. */
const mostNames = 5;

/** Confirms the deletion of several reports, with their number and names (spec 2, Confirmation dialogs). */
function DeleteFilesDialog({ count, names, open, onClose, onConfirm }: DeleteFilesDialogProps) {
  const shown = names.slice(0, mostNames);
  const rest = count - shown.length;
  return (
    <LazyAlertDialog
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
    </LazyAlertDialog>
  );
}
