/** Fields that a person may set, and their columns. */
export type Columns = Readonly<Record<string, string>>;
export type Values = Record<string, unknown>;

/** Moments of the row and of the request look different and mean the same. */
const comparable = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : (value ?? null);

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
  Object.fromEntries(
    Object.entries(asked).filter(([column, value]) => comparable(value) !== comparable(row[column])),
  );
