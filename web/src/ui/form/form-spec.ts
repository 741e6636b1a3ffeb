import type { Related } from '@riskboard/contract';
import type { Schemas } from '../../lib/schemas.ts';
import type { SelectItem } from './select-field.tsx';

/** What a field of a form may hold: numbers and days are kept as their text, as people type them. */
export type FieldValue = string | boolean | readonly string[] | readonly Related[];

/** A version of a record, and who made it. */
export interface Versioned {
  version: number;
  updatedBy: string;
}

/** A form, declared once: its fields, how a record fills them, and what is sent. */
export interface FormSpec<Values extends object, Detail, Body> {
  /** Name of each field, in the order of the page. */
  labels: Readonly<Record<keyof Values & string, string>>;
  required: readonly (keyof Values & string)[];
  /** Choices by field. */
  items?: Readonly<Partial<Record<keyof Values & string, readonly SelectItem[]>>>;
  /** The fields of a record; of none, those of a blank form. */
  valuesOf: (record: Detail | undefined) => Values;
  /** As the API takes it: every field by its own name. */
  bodyOf: (values: Values) => Body;
  /** What is wrong, by field; empty: nothing. */
  problemsOf: (values: Values, schemas: Schemas) => Readonly<Partial<Record<string, string>>>;
}

const longest = 160;

/** A field's value as people read it, for comparing two. */
export function shownValue(value: FieldValue, items: readonly SelectItem[] = []): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'string') {
    return value.map((one) => (typeof one === 'string' ? one : one.name)).join(', ') || 'Blank';
  }
  if (value.trim() === '') return 'Blank';
  const text = items.find((item) => item.value === value)?.label ?? value;
  return text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The fields of a body that differ from another's (spec 7: PUT takes the changed fields). */
export function changedFields<Body extends object>(before: Body, now: Body): Partial<Body> {
  const entries = Object.entries(now).filter(([name, value]) => !same(value, before[name as keyof Body]));
  return Object.fromEntries(entries) as Partial<Body>;
}
