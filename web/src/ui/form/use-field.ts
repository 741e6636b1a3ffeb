import { use } from 'react';
import { useSelected, useStore } from '../../lib/browser/store.ts';
import { FieldContext, useStanding } from './form-context.ts';

/** Id of a field's control: where the error summary leads. */
export const controlId = (form: string, name: string): string => `${form}-${name}`;

/** A field of the form as its control needs it. The error is told once the field was left, or a sending was tried. */
export function useField<Value>() {
  const field = use(FieldContext);
  if (field === null) throw new Error('A control stands outside of an AppField.');
  const { name, store } = field;
  const { id, labels, required, problemOf, attempted, refused, locked } = useStanding();
  // A form's fields hold what its controls take: `AppField` names both.
  const value = useSelected(store, ({ values }) => values[name as keyof typeof values]) as Value;
  const problem = useSelected(store, ({ values }) => problemOf(name, values));
  const wasLeft = useSelected(store, ({ left }) => left.has(name));
  const tried = useStore(attempted);
  const said = useStore(refused)[name];
  const own = wasLeft || tried ? problem : undefined;

  function set(next: Value): void {
    const { values, left } = store.get();
    store.set({ values: { ...values, [name]: next }, left });
  }

  function leave(): void {
    const { values, left } = store.get();
    if (!left.has(name)) store.set({ values, left: new Set([...left, name]) });
  }

  return {
    id: controlId(id, name),
    name,
    label: labels[name] ?? name,
    required: required.has(name),
    value,
    // What the server refused is told until it is something else.
    error: own ?? (said !== undefined && Object.is(said.value, value) ? said.message : undefined),
    locked,
    set,
    leave,
  };
}
