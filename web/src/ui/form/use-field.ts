import { useCallback } from 'react';
import { useSelected, useStore } from '../../lib/browser/store.ts';
import type { FieldValue } from '../../lib/entity/form-values.ts';
import { useFieldName, useFormState, type Pending } from './form-context.ts';

/** Id of a field's control: where the error summary leads. */
export const controlId = (formId: string, name: string): string => `${formId}-${name}`;

/**
 * The field around a control: its value, its label, and how to change it. A problem is shown once the field was left, the
 * form asks to correct the marked fields, or the user has tried to submit; a refusal of the server until the value
 * changes.
 */
export function useField<Value extends FieldValue>() {
  const name = useFieldName();
  const { id, entered, labelOf, isRequired, problemOf, marksProblems, attempted, refused, pending, locked } =
    useFormState();
  // The control determines the type; the field table determines the control of each field.
  const value = useSelected(entered, ({ values }) => values[name]) as Value;
  const invalid = useSelected(entered, ({ values }) => problemOf(name, values));
  const blocked = useStore(pending)[name]?.blockedBy;
  const problem = invalid ?? blocked;
  const wasLeft = useSelected(entered, ({ left }) => left.has(name));
  const isMarked = useSelected(entered, ({ values }) => marksProblems(values));
  const wasAttempted = useStore(attempted);
  const refusal = useStore(refused)[name];
  const shownProblem = wasLeft || isMarked || wasAttempted ? problem : undefined;
  const shownRefusal = refusal !== undefined && Object.is(refusal.value, value) ? refusal.message : undefined;

  function set(next: Value): void {
    const { values, left } = entered.get();
    entered.set({ values: { ...values, [name]: next }, left });
  }

  function leave(): void {
    const { values, left } = entered.get();
    if (!left.has(name)) entered.set({ values, left: new Set([...left, name]) });
  }

  const setPending = useCallback(
    (next: Pending) => pending.set({ ...pending.get(), [name]: next }),
    [pending, name],
  );

  return {
    id: controlId(id, name),
    name,
    label: labelOf(name),
    required: isRequired(name),
    value,
    error: shownProblem ?? shownRefusal,
    locked,
    set,
    leave,
    /** Reports what the control has entered beyond the value. */
    setPending,
  };
}
