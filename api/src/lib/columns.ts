import { sql } from 'kysely';
import type { Caller } from './security/caller.ts';

/** Fields that a person may set, and their columns. */
export type Columns = Readonly<Record<string, string>>;
export type Values = Record<string, unknown>;

/** Moments of the row and of the request look different and mean the same. */
const comparable = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : (value ?? null);

/** Lists and objects differ by what they hold. */
export const differs = (a: unknown, b: unknown): boolean =>
  JSON.stringify(comparable(a)) !== JSON.stringify(comparable(b));

/** The columns that a body sets. */
export const columnsOf = (columns: Columns, body: Readonly<Values>): Values =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([field, column]) =>
      body[field] === undefined ? [] : [[column, body[field]]],
    ),
  );

/** A row's values by the fields that people know. */
export const fieldsOf = (columns: Columns, row: Readonly<Values>): Values =>
  Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, comparable(row[column])]));

/** Those of the columns that are not in the row as asked already. */
export const changedColumns = (asked: Readonly<Values>, row: Readonly<Values>): Values =>
  Object.fromEntries(Object.entries(asked).filter(([column, value]) => differs(value, row[column])));

/** What every change by a person writes besides the fields. */
export const nextVersion = (caller: Caller) => ({
  version: sql<number>`version + 1`,
  updated_at: sql<Date>`now()`,
  updated_by: caller.accountId,
});
