import { reports } from '@riskboard/contract';
import { Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { formatCount } from '../../lib/format/format.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { Button } from '../../ui/button/button.tsx';
import type { Selected } from '../../ui/list/use-selection.ts';
import { useFileActions } from './use-file-actions.ts';

const DeleteFilesDialog = lazy(async () => ({
  default: (await import('./delete-files-dialog.tsx')).DeleteFilesDialog,
}));

/** Deletes the selected files after a question (spec 2, 'Delete Selected (n)'). */
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
      <Button
        size="sm"
        variant="danger"
        disabledReason={refusal}
        icon={<Trash2 aria-hidden size={14} />}
        onClick={() => setDeleting(true)}
      >
        Delete Selected ({formatCount(count)})
      </Button>
      <Suspense>
        <DeleteFilesDialog
          count={count}
          names={names}
          open={deleting}
          onClose={() => setDeleting(false)}
          onConfirm={remove}
        />
      </Suspense>
    </>
  );
}

/** Buttons of what can be done with selected files. */
export const deleteSelected = (selected: Selected) => <DeleteSelected selected={selected} />;
