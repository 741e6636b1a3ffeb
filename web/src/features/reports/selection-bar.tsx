import { reports } from '@riskboard/contract';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/call.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { queryOf } from '../../lib/list-search.ts';
import { messageOf } from '../../lib/message-of.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { DeleteFilesDialog } from './delete-files-dialog.tsx';
import type { FilesSearch } from './files-search.ts';
import { useFileActions } from './use-file-actions.ts';
import type { FileSelection } from './use-file-selection.ts';

interface SelectionBarProps {
  selection: FileSelection;
  /** Files that match the search, on all pages. */
  total: number;
  search: FilesSearch;
}

/** Rows that one call of the list gives at most (contract, HTTP: lists). */
const mostAtOnce = 500;

/** What can be done with the selected files; absent while there are none (spec 5: at least one). */
export function SelectionBar({ selection, total, search }: SelectionBarProps) {
  const { removeMany } = useFileActions();
  const [deleting, setDeleting] = useState(false);
  const refusal = useRefusal(reports.deleteFiles.access);
  const { selected, clear, selectAll } = selection;

  async function selectMatching() {
    try {
      const query = { ...queryOf(search), page: 1, pageSize: mostAtOnce };
      selectAll((await call(reports.files, { query })).files);
    } catch (error) {
      toast.error('Failed to load files.', messageOf(error, 'Please try again.'));
    }
  }

  if (selected.size === 0) return null;
  return (
    <section
      aria-label="Selected files"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-accent-soft px-4 py-2 text-sm"
    >
      <span className="font-medium tabular-nums">{formatCount(selected.size)} selected</span>
      {selected.size < total && total <= mostAtOnce && (
        <Button size="sm" variant="ghost" onClick={() => void selectMatching()}>
          {search.search === ''
            ? `Select all ${plural(total, 'file')}`
            : `Select all ${formatCount(total)} matching`}
        </Button>
      )}
      <span className="grow" />
      <Button size="sm" variant="ghost" onClick={clear}>
        Clear selection
      </Button>
      <Button
        size="sm"
        variant="danger"
        disabledReason={refusal}
        icon={<Trash2 aria-hidden size={14} />}
        onClick={() => setDeleting(true)}
      >
        Delete Selected ({formatCount(selected.size)})
      </Button>
      <DeleteFilesDialog
        selected={selected}
        open={deleting}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          if (await removeMany([...selected.keys()])) clear();
        }}
      />
    </section>
  );
}
