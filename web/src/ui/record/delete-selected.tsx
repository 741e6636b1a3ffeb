import { mostAtOnce } from '@riskboard/contract';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatCount, plural } from '../../lib/format/format.ts';
import { AlertDialog } from '../dialog/alert-dialog.tsx';
import { Button } from '../button/button.tsx';
import type { Selected } from '../list/use-selection.ts';

interface DeleteSelectedProps {
  selected: Selected;
  /** What the rows are called. */
  one: string;
  many: string;
  refusal: string | undefined;
  /** Resolves when they are gone, or a job is on its way to them. */
  onDelete: (selection: Selected['selection']) => Promise<unknown>;
}

/** Names shown before the rest becomes a number. */
const mostNames = 5;

/** 'Delete Selected (n)' (spec 2), after a question that names how many and which. */
export function DeleteSelected({ selected, one, many, refusal, onDelete }: DeleteSelectedProps) {
  const [asking, setAsking] = useState(false);
  const { count, names, selection, clear } = selected;
  const shown = names.slice(0, mostNames);
  const counted = plural(count, one, many);

  async function remove() {
    try {
      await onDelete(selection);
      clear();
    } catch {
      // Whoever deletes has told why; what was selected stays so.
    }
  }

  return (
    <>
      <Button
        size="sm"
        variant="danger"
        disabledReason={refusal}
        icon={<Trash2 aria-hidden size={14} />}
        onClick={() => setAsking(true)}
      >
        Delete Selected ({formatCount(count)})
      </Button>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete ${counted}?`}
        description={
          count > mostAtOnce
            ? 'They leave every list. So many are deleted in the background.'
            : 'They leave every list. You can undo it while the message about it stands.'
        }
        confirmLabel={`Delete ${counted}`}
        danger
        onConfirm={remove}
      >
        <ul className="text-sm">
          {shown.map((name) => (
            <li key={name} className="truncate" title={name}>
              {name}
            </li>
          ))}
          {count > shown.length && (
            <li className="text-muted">and {formatCount(count - shown.length)} more</li>
          )}
        </ul>
      </AlertDialog>
    </>
  );
}
