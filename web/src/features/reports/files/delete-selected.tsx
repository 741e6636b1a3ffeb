import { reports } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useState } from 'react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { LazyAlertDialog } from '../../../ui/dialog/lazy-alert-dialog.ts';
import { DeleteSelectedButton, SelectedNames } from '../../../ui/list/delete-selected.tsx';
import type { Selected } from '../../../ui/list/use-selection.ts';
import { useFileActions } from '../use-file-actions.ts';

/** Deletes the selected files after a confirmation with their number and names (spec 2, Confirmation dialogs). */
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
      <DeleteSelectedButton count={count} refusal={refusal} onClick={() => setDeleting(true)} />
      <LazyAlertDialog
        open={deleting}
        onOpenChange={setDeleting}
        title="Are you absolutely sure?"
        description={`This action cannot be undone. This will permanently delete ${plural(count, 'selected file')} and all associated data.`}
        confirmLabel={`Delete ${plural(count, 'file')}`}
        danger
        onConfirm={remove}
      >
        <SelectedNames count={count} names={names} />
      </LazyAlertDialog>
    </>
  );
}

/** Bulk actions on selected files. */
export const deleteSelected = (selected: Selected) => <DeleteSelected selected={selected} />;
