import { createContext, use } from 'react';
import { useSelected, type Store } from '../../lib/browser/store.ts';
import type { Entity } from '../../lib/entity/entity.ts';
import type { FormValues } from '../../lib/entity/form-values.ts';

/** The entered values. */
export interface Entered {
  readonly values: FormValues;
  /** Fields that were focused and left; they show their problem. */
  readonly left: ReadonlySet<string>;
}

/** The server's message about a field, with the value that it refused. */
export interface Refused {
  message: string;
  value: unknown;
}

/** What a control has entered beyond its field's value. */
export interface Pending {
  /** Why the value must not be saved yet; undefined when it may be. */
  blockedBy: string | undefined;
  /** Leaving the form would lose input. */
  isUnsaved: boolean;
}

/** A form as its fields see it. */
export interface FormState {
  /** Prefix of the ids of the controls. */
  readonly id: string;
  readonly entity: Pick<Entity, 'fields' | 'sections'>;
  readonly entered: Store<Entered>;
  /** Label of a field in this form. */
  readonly labelOf: (name: string) => string;
  readonly isRequired: (name: string) => boolean;
  /** Problem of a field; undefined when it is valid. */
  readonly problemOf: (name: string, values: FormValues) => string | undefined;
  /** Whether the form asks to correct the marked fields: then every field shows its problem. */
  readonly marksProblems: (values: FormValues) => boolean;
  /** Whether the user has tried to submit; from then on every field shows its problem. */
  readonly attempted: Store<boolean>;
  readonly refused: Store<Readonly<Record<string, Refused>>>;
  /** By field; most controls have none. */
  readonly pending: Store<Readonly<Record<string, Pending>>>;
  /** Why the form is read-only; undefined when it is not. */
  readonly locked: string | undefined;
}

const FormContext = createContext<FormState | null>(null);
export const FormProvider = FormContext.Provider;

/** Name of the field that the controls inside are for. */
const FieldContext = createContext<string | null>(null);
export const FieldProvider = FieldContext.Provider;

/** @throws outside of a `FormProvider` */
export function useFormState(): FormState {
  const state = use(FormContext);
  if (state === null) throw new Error('A form control must be inside a form.');
  return state;
}

/** @throws outside of a `FieldProvider` */
export function useFieldName(): string {
  const name = use(FieldContext);
  if (name === null) throw new Error('A form control must be inside a field.');
  return name;
}

/** The text of another field of the form, such as one that a hint depends on; '' for a field that is not a text. */
export function useTextValue(name: string): string {
  const { entered } = useFormState();
  const value = useSelected(entered, ({ values }) => values[name]);
  return typeof value === 'string' ? value : '';
}

/** Returns a function that sets the text of another field of the form. */
export function useSetText(): (name: string, text: string) => void {
  const { entered } = useFormState();
  return (name, text) => {
    const { values, left } = entered.get();
    entered.set({ values: { ...values, [name]: text }, left });
  };
}
