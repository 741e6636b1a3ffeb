import { sql } from 'kysely';
import type { Caller } from './security/caller.ts';

/** Column of each field that a user may set. */
export type Columns = Readonly<Record<string, string>>;
export type Values = Record<string, unknown>;

/** A column value as requests and replies have it: rows have dates where those have ISO texts. */
export const asSent = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : (value ?? null);

/** Whether two values differ; lists and objects are compared by content. */
export const differs = (a: unknown, b: unknown): boolean =>
  JSON.stringify(asSent(a)) !== JSON.stringify(asSent(b));

export const isBlank = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The columns that a body sets. */
export const columnsOf = (columns: Columns, body: Readonly<Values>): Values =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([field, column]) =>
      body[field] === undefined ? [] : [[column, body[field]]],
    ),
  );

/** A row's values by field. */
export const fieldsOf = (columns: Columns, row: Readonly<Values>): Values =>
  Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, asSent(row[column])]));

/** The requested column values that differ from the row. */
export const changedColumns = (requested: Readonly<Values>, row: Readonly<Values>): Values =>
  Object.fromEntries(Object.entries(requested).filter(([column, value]) => differs(value, row[column])));

/** Columns that every change by a user writes in addition to the fields. */
export const nextVersion = (caller: Caller) => ({
  version: sql<number>`version + 1`,
  updated_at: sql<Date>`now()`,
  updated_by: caller.accountId,
});
