import { useState, type ReactNode } from 'react';
import { createStore, useSelected } from '../../lib/browser/store.ts';
import { AssetsField } from './assets-field.tsx';
import { CheckboxField } from './checkbox-field.tsx';
import { DateField } from './date-field.tsx';
import { FieldContext, type FormState, type FormStore } from './form-context.ts';
import { LongTextField } from './long-text-field.tsx';
import { NumberField } from './number-field.tsx';
import { ScaleField } from './scale-field.tsx';
import { SelectField } from './select-field.tsx';
import { TagsField } from './tags-field.tsx';
import { TextField } from './text-field.tsx';

const controls = {
  AssetsField,
  CheckboxField,
  DateField,
  LongTextField,
  NumberField,
  ScaleField,
  SelectField,
  TagsField,
  TextField,
} as const;

interface FieldProps<Values extends object, Name extends keyof Values> {
  name: Name;
  /** Renders one of the controls; `value` is what the field holds now. */
  children: (field: typeof controls & { readonly value: Values[Name] }) => ReactNode;
}

/** A form's values, and its fields: `<form.AppField name="name">{(field) => <field.TextField />}</form.AppField>`. */
export interface AppForm<Values extends object> {
  readonly store: FormStore<Values>;
  /** Begins anew with these values. */
  readonly reset: (values: Values) => void;
  readonly AppField: <Name extends keyof Values & string>(props: FieldProps<Values, Name>) => ReactNode;
}

const begun = <Values extends object>(values: Values): FormState<Values> => ({ values, left: new Set() });

function createForm<Values extends object>(initial: Values): AppForm<Values> {
  const store = createStore(begun(initial));

  function AppField<Name extends keyof Values & string>({ name, children }: FieldProps<Values, Name>) {
    const value = useSelected(store, ({ values }) => values[name]);
    // A control knows its field by name, and what it holds by `useField<Value>`.
    const field = { name, store: store as unknown as FormStore };
    return <FieldContext value={field}>{children({ ...controls, value })}</FieldContext>;
  }

  return { store, reset: (values) => store.set(begun(values)), AppField };
}

/** A form that begins with these values; what is wrong with them, and sending them, is `useRecordForm`'s. */
export function useAppForm<Values extends object>(initial: Values): AppForm<Values> {
  const [form] = useState(() => createForm(initial));
  return form;
}
