import { createContext, use } from 'react';
import type { Store } from '../../lib/browser/store.ts';

/** What a form holds. */
export interface FormState<Values extends object = object> {
  readonly values: Values;
  /** Fields that were left once: from then on each says what is wrong with it. */
  readonly left: ReadonlySet<string>;
}

export type FormStore<Values extends object = object> = Store<FormState<Values>>;

/** The field of a form that a control stands for. */
export const FieldContext = createContext<{ readonly name: string; readonly store: FormStore } | null>(null);

/** What the server said of a field, and of which value. */
export interface Refused {
  message: string;
  value: unknown;
}

/** What every field needs to know of the form around it. */
export interface Standing {
  /** Starts the ids of the controls, so that the summary can lead to them. */
  id: string;
  /** Names of the fields, in their order. */
  labels: Readonly<Record<string, string>>;
  required: ReadonlySet<string>;
  /** What is wrong with a field as it stands; undefined: nothing. */
  problemOf: (name: string, values: unknown) => string | undefined;
  /** Somebody tried to send: from then on every field says what is wrong, not only those that were left. */
  attempted: Store<boolean>;
  refused: Store<Readonly<Record<string, Refused>>>;
  /** Why nothing can be changed here; undefined: it can. */
  locked: string | undefined;
}

const StandingContext = createContext<Standing | null>(null);
export const StandingProvider = StandingContext.Provider;

export function useStanding(): Standing {
  const standing = use(StandingContext);
  if (standing === null) throw new Error('A field stands outside of its FormPage.');
  return standing;
}
