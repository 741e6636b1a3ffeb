import { useStore as useFormStore } from '@tanstack/react-form';
import { useStore } from '../../lib/store.ts';
import { useFieldContext, useStanding } from './form-context.ts';

/** Id of a field's control: where the error summary leads. */
export const controlId = (form: string, name: string): string => `${form}-${name}`;

/** A field of the form as its control needs it. The error is told once the field was left, or a sending was tried. */
export function useField<Value>() {
  const field = useFieldContext<Value>();
  const { name } = field;
  const { id, labels, required, problemOf, attempted, refused, locked } = useStanding();
  const problem = useFormStore(field.form.store, ({ values }) => problemOf(name, values));
  const tried = useStore(attempted);
  const said = useStore(refused)[name];
  const { value, meta } = field.state;
  const own = meta.isBlurred || tried ? problem : undefined;
  return {
    id: controlId(id, name),
    name,
    label: labels[name] ?? name,
    required: required.has(name),
    value,
    // What the server refused is told until it is something else.
    error: own ?? (said !== undefined && Object.is(said.value, value) ? said.message : undefined),
    locked,
    set: (next: Value) => field.handleChange(() => next),
    leave: field.handleBlur,
  };
}
