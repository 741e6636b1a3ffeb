import { reports } from '@riskboard/contract';
import { Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { call } from '../../lib/call.ts';
import { formatCount } from '../../lib/format.ts';
import { messageOf } from '../../lib/message-of.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { Button } from '../../ui/button.tsx';
import type { Selected } from '../../ui/table/use-selection.ts';
import { toast } from '../../ui/toast.ts';
import { useFileActions } from './use-file-actions.ts';

const DeleteFilesDialog = lazy(async () => ({
  default: (await import('./delete-files-dialog.tsx')).DeleteFilesDialog,
}));

/** Rows that one call of the list gives at most (contract, HTTP: lists). */
const mostAtOnce = 500;

/** Every file that matches: files are deleted by their ids (spec 7). */
async function idsThatMatch(filter: Record<string, unknown>): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...filter, page, pageSize: mostAtOnce };
    const { files } = await call(reports.files, { query });
    ids.push(...files.map(({ _id }) => _id));
    if (files.length < mostAtOnce) return ids;
  }
}

/** Deletes the selected files after a question (spec 2, 'Delete Selected (n)'). */
function DeleteSelected({ selected }: { selected: Selected }) {
  const { removeMany } = useFileActions();
  const [deleting, setDeleting] = useState(false);
  const refusal = useRefusal(reports.deleteFiles.access);
  const { count, names, selection, clear } = selected;

  async function remove() {
    try {
      const ids = 'ids' in selection ? selection.ids : await idsThatMatch(selection.filter);
      if (await removeMany(ids)) clear();
    } catch (error) {
      toast.error('Delete failed', messageOf(error, 'Failed to load files.'));
    }
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
