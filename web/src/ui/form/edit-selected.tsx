import { Pencil } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { formatCount } from '../../lib/format/format.ts';
import { Button } from '../button/button.tsx';
import type { Selected } from '../list/use-selection.ts';
import type { AppForm } from './use-app-form.tsx';

// Lists are there long before anybody edits their rows: the form comes when it is asked for.
const BulkEditDialog = lazy(async () => ({
  default: (await import('./bulk-edit-dialog.tsx')).BulkEditDialog,
}));

/** What can be set on many records at once. */
export interface BulkSpec<Values extends object, Change extends object> {
  labels: Readonly<Record<keyof Values & string, string>>;
  /** Changes nothing. */
  blank: Values;
  /** What is set, and nothing else. */
  changeOf: (values: Values) => Change;
}

export interface EditSelectedProps<Values extends object, Change extends object> {
  selected: Selected;
  /** What the rows are called. */
  one: string;
  many: string;
  /** Why the person may not change them. */
  refusal: string | undefined;
  spec: BulkSpec<Values, Change>;
  /** Resolves when they are changed, or a job is on its way to them. */
  onApply: (selection: Selected['selection'], change: Change) => Promise<unknown>;
  /** The fields. */
  children: (form: AppForm<Values>) => ReactNode;
}

/** 'Edit Selected (n)': sets the same on every selected row. */
export function EditSelected<Values extends object, Change extends object>(
  props: EditSelectedProps<Values, Change>,
) {
  const [open, setOpen] = useState(false);
  // Whose values these are, only the fields know.
  const dialog = props as unknown as EditSelectedProps<object, object>;
  return (
    <>
      <Button
        size="sm"
        disabledReason={props.refusal}
        icon={<Pencil aria-hidden size={14} />}
        onClick={() => setOpen(true)}
      >
        Edit Selected ({formatCount(props.selected.count)})
      </Button>
      {open && (
        <Suspense>
          <BulkEditDialog {...dialog} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
