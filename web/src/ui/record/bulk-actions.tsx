import { mostAtOnce } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '../../lib/browser/commands.ts';
import { hasBulkEdit, type BulkEditEntity, type Entity } from '../../lib/entity/entity.ts';
import { useDeleteMany } from '../../lib/entity/deletions.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../button/button-with-reason.tsx';
import { AlertDialog } from '../dialog/alert-dialog.tsx';
import { BulkEditDialog } from '../form/bulk-edit-dialog.tsx';
import { DeleteSelectedButton, SelectedNames } from '../list/delete-selected.tsx';
import { selectionCommand, type Selected } from '../list/use-selection.ts';
import { useAssetPicker } from '../form/controls/assets-field.tsx';

export interface BulkActionsProps {
  entity: Entity;
  selected: Selected;
}

/** Buttons of a list's selection bar: edit and delete the selected records. */
export function BulkActions(props: BulkActionsProps) {
  return (
    <>
      {hasBulkEdit(props.entity) && <EditSelected {...props} entity={props.entity} />}
      <DeleteSelected {...props} />
    </>
  );
}

/** 'Edit Selected (n)': sets the same fields on every selected record. */
function EditSelected({ entity, selected }: BulkActionsProps & { entity: BulkEditEntity }) {
  const [open, setOpen] = useState(false);
  const refusal = useRefusal(entity.calls.updateMany.access);
  useCommands([
    {
      ...selectionCommand(selected),
      id: 'edit selected',
      label: 'Edit selected',
      terms: 'change bulk status',
      icon: <Pencil aria-hidden size={16} />,
      refusal,
      run: () => setOpen(true),
    },
  ]);
  useAssetPicker();
  return (
    <>
      <ButtonWithReason
        size="sm"
        disabledReason={refusal}
        icon={<Pencil aria-hidden size={14} />}
        onClick={() => setOpen(true)}
      >
        Edit Selected ({formatCount(selected.count)})
      </ButtonWithReason>
      {open && <BulkEditDialog entity={entity} selected={selected} onClose={() => setOpen(false)} />}
    </>
  );
}

/** 'Delete Selected (n)' (spec 2), after a confirmation that names how many records and which. */
function DeleteSelected({ entity, selected }: BulkActionsProps) {
  const [open, setOpen] = useState(false);
  const { mutateAsync } = useDeleteMany(entity);
  const { count, names, selection, clear } = selected;
  const counted = plural(count, entity.one, entity.many);
  const refusal = useRefusal(entity.calls.deleteMany.access);
  useCommands([
    {
      ...selectionCommand(selected),
      id: 'delete selected',
      label: 'Delete selected',
      terms: 'remove bulk trash',
      icon: <Trash2 aria-hidden size={16} />,
      refusal,
      run: () => setOpen(true),
    },
  ]);

  /** The rows leave the list at once; the dialog does not wait for the server. */
  function remove(): void {
    const selectAgain = clear();
    // The mutation has shown the error.
    mutateAsync(selection).catch(selectAgain);
  }

  return (
    <>
      <DeleteSelectedButton count={count} refusal={refusal} onClick={() => setOpen(true)} />
      <AlertDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete ${counted}?`}
        description={
          count > mostAtOnce
            ? 'This many will be deleted in the background. You can undo this in the list of jobs for 30 days.'
            : 'They will be removed from every list. You can undo this for 10 seconds.'
        }
        confirmLabel={`Delete ${counted}`}
        danger
        onConfirm={remove}
      >
        <SelectedNames count={count} names={names} />
      </AlertDialog>
    </>
  );
}
