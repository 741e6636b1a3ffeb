import { useSelected, useStore } from '../../lib/browser/store.ts';
import type { FieldValue } from '../../lib/entity/form-values.ts';
import { useFieldName, useFormState } from './form-context.ts';

/** Id of a field's control: where the error summary leads. */
export const controlId = (formId: string, name: string): string => `${formId}-${name}`;

/**
 * The field around a control: its value, its label, and how to change it. A problem is shown once the field was left or
 * the user has tried to submit; a refusal of the server until the value changes.
 */
export function useField<Value extends FieldValue>() {
  const name = useFieldName();
  const { id, entered, labelOf, isRequired, problemOf, attempted, refused, locked } = useFormState();
  // The control determines the type; the field table determines the control of each field.
  const value = useSelected(entered, ({ values }) => values[name]) as Value;
  const problem = useSelected(entered, ({ values }) => problemOf(name, values));
  const wasLeft = useSelected(entered, ({ left }) => left.has(name));
  const wasAttempted = useStore(attempted);
  const refusal = useStore(refused)[name];
  const shownProblem = wasLeft || wasAttempted ? problem : undefined;
  const shownRefusal = refusal !== undefined && Object.is(refusal.value, value) ? refusal.message : undefined;

  function set(next: Value): void {
    const { values, left } = entered.get();
    entered.set({ values: { ...values, [name]: next }, left });
  }

  function leave(): void {
    const { values, left } = entered.get();
    if (!left.has(name)) entered.set({ values, left: new Set([...left, name]) });
  }

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
  };
}
