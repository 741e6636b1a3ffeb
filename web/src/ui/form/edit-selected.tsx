import { Pencil } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../button.tsx';
import type { Selected } from '../table/use-selection.ts';
import { BulkEditDialog } from './bulk-edit-dialog.tsx';
import { useAppForm } from './use-app-form.ts';

const useBulkForm = <Values extends object>(blank: Values) => useAppForm({ defaultValues: blank });
export type BulkForm<Values extends object> = ReturnType<typeof useBulkForm<Values>>;

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
  children: (form: BulkForm<Values>) => ReactNode;
}

/** 'Edit Selected (n)': sets the same on every selected row. */
export function EditSelected<Values extends object, Change extends object>(
  props: EditSelectedProps<Values, Change>,
) {
  const [open, setOpen] = useState(false);
  const form = useBulkForm(props.spec.blank);
  return (
    <>
      <Button
        size="sm"
        disabledReason={props.refusal}
        icon={<Pencil aria-hidden size={14} />}
        onClick={() => {
          form.reset();
          setOpen(true);
        }}
      >
        Edit Selected ({formatCount(props.selected.count)})
      </Button>
      {open && <BulkEditDialog {...props} form={form} onClose={() => setOpen(false)} />}
    </>
  );
}
