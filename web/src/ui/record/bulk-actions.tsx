import { mostAtOnce } from '@riskboard/contract';
import { Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Entity } from '../../lib/entity/entity.ts';
import { useDeleteMany } from '../../lib/entity/mutations.ts';
import { formatCount, plural } from '../../lib/format/format.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { Button } from '../button/button.tsx';
import { AlertDialog } from '../dialog/alert-dialog.tsx';
import type { Selected } from '../list/use-selection.ts';

// The form controls of the bulk edit load after the list.
const BulkEdit = lazy(async () => ({ default: (await import('../form/bulk-edit.tsx')).BulkEdit }));

interface BulkActionsProps {
  entity: Entity;
  selected: Selected;
}

/** Buttons of a list's selection bar: edit and delete the selected records. */
export function BulkActions(props: BulkActionsProps) {
  return (
    <>
      <Suspense>
        <BulkEdit {...props} />
      </Suspense>
      <DeleteSelected {...props} />
    </>
  );
}

/** Names shown before the others are counted. */
const mostNames = 5;

/** 'Delete Selected (n)' (spec 2), after a confirmation that names how many records and which. */
function DeleteSelected({ entity, selected }: BulkActionsProps) {
  const [open, setOpen] = useState(false);
  const { mutateAsync } = useDeleteMany(entity);
  const { count, names, selection, clear } = selected;
  const shown = names.slice(0, mostNames);
  const counted = plural(count, entity.one, entity.many);

  async function remove() {
    try {
      await mutateAsync(selection);
      clear();
    } catch {
      // The mutation has shown the error; the selection is kept.
    }
  }

  return (
    <>
      <Button
        size="sm"
        variant="danger"
        disabledReason={useRefusal(entity.calls.deleteMany.access)}
        icon={<Trash2 aria-hidden size={14} />}
        onClick={() => setOpen(true)}
      >
        Delete Selected ({formatCount(count)})
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete ${counted}?`}
        description={
          count > mostAtOnce
            ? 'This many will be deleted in the background.'
            : 'They will be removed from every list. You can undo this for 10 seconds.'
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
