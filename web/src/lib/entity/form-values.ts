import type { Field, Fields, Related } from '@riskboard/contract';
import type { z } from 'zod';
import type { Schemas } from '../load-schemas.ts';
import type { CreationAttempt } from './creation.ts';
import type { Body, Entity } from './entity.ts';
import { numberOf, numberText } from './number-text.ts';

/** The value of a form field. Numbers and days are the text that the user typed. */
export type FieldValue = string | boolean | readonly string[] | readonly Related[];
export type FormValues = Readonly<Record<string, FieldValue>>;

/** The form of a new record that the server refused. */
export interface FormDraft {
  readonly values: FormValues;
  /** What the server said about fields, by field. */
  readonly problems: Readonly<Record<string, string>>;
  /** What it said about the record as a whole. */
  readonly message: string | undefined;
  /** What the next attempt continues. */
  readonly attempt?: CreationAttempt;
}

/** The fields that the form of an entity has, in the order of the table. */
const formFields = (fields: Fields): [string, Field][] =>
  Object.entries(fields).filter(([, field]) => field.form !== undefined);

function blankOf(field: Field): FieldValue {
  if (field.type === 'flag') return field.default;
  if (field.type === 'tags' || field.type === 'relations') return [];
  return field.type === 'choice' ? (field.default ?? '') : '';
}

const isNumber = ({ type }: Field): boolean => ['number', 'integer', 'scale', 'code'].includes(type);

function valueOf(field: Field, value: unknown): FieldValue {
  if (isNumber(field)) return numberText(value as number | null);
  // A timestamp's written day counts (contract, HTTP).
  if (field.type === 'day') return typeof value === 'string' ? value.slice(0, 10) : '';
  return (value ?? '') as FieldValue;
}

/** The values of the form of a record; without a record, those of a new one. */
export function valuesOf({ fields, form }: Entity, record: object | undefined): FormValues {
  const entries = formFields(fields).map(([name, field]) => [
    name,
    record === undefined ? blankOf(field) : valueOf(field, (record as Body)[name]),
  ]);
  const values = Object.fromEntries(entries) as FormValues;
  if (record === undefined || form.valuesOf === undefined) return values;
  return form.valuesOf(values, record as Body);
}

function sentOf(field: Field, value: FieldValue): unknown {
  if (isNumber(field)) return numberOf(value as string);
  if (field.type === 'relations') return (value as readonly Related[]).map(({ _id }) => _id);
  return typeof value === 'string' ? value.trim() : value;
}

/** The request body of a form's values: empty numbers and texts are sent as '' (spec 5). */
export function bodyOf({ fields, form }: Entity, values: FormValues): Body {
  const entries = formFields(fields).map(([name, field]) => [name, sentOf(field, values[name] ?? '')]);
  const body = Object.fromEntries(entries) as Body;
  return form.bodyOf?.(body) ?? body;
}

/** Message of a schema's issue; of a union, the message of its first alternative. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message;
  const first = issue.errors[0]?.[0];
  return first === undefined ? issue.message : messageOf(first);
}

/** The first message of a schema about each field of a body; empty when the body is valid. */
export function problemsBy(schema: z.ZodType, body: object): Readonly<Record<string, string>> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return {};
  return Object.fromEntries(
    parsed.error.issues.map((issue) => [String(issue.path[0] ?? ''), messageOf(issue)] as const).toReversed(),
  );
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The values of a form, and those of the saved record; undefined for a new record. */
export interface CheckedValues {
  readonly values: FormValues;
  readonly saved: FormValues | undefined;
}

/**
 * Problems of the values of a form, by field; empty when all are valid. A saved value may have a problem, because reports
 * and other versions of the product have other limits: it is left out while the value is unchanged, as in the API.
 */
export function problemsOf(
  entity: Entity,
  { values, saved }: CheckedValues,
  schemas: Schemas,
): Readonly<Record<string, string>> {
  const body = bodyOf(entity, values);
  const found = {
    ...problemsBy(entity.form.schemaOf(schemas), body),
    ...entity.form.problemsOf?.(body, schemas),
  };
  if (saved === undefined || Object.keys(found).length === 0) return found;
  const before = problemsOf(entity, { values: saved, saved: undefined }, schemas);
  return Object.fromEntries(
    Object.entries(found).filter(
      ([name, problem]) => problem !== before[name] || !isSame(values[name], saved[name]),
    ),
  );
}

/** The fields of a body that differ from another's (spec 7: PUT takes the changed fields). */
export const changedFields = (before: Body, now: Body): Body =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => !isSame(value, before[name])));
