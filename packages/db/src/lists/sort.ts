import { type RawBuilder, sql } from 'kysely';
import type { Cursor } from './cursor.ts';
import type { ListColumn, ListSource } from './source.ts';

/** A sort: a column and its direction; ties are sorted by id in the same direction. Empty values come last. */
export interface Sort {
  column: ListColumn;
  descending: boolean;
}

/** The sort of a request: a field of the list, descending with a minus sign. @throws for other texts */
export function sortOf(source: ListSource, sort: string): Sort {
  const descending = sort.startsWith('-');
  const column = source.columns[descending ? sort.slice(1) : sort];
  if (!column) throw new Error(`No column for sort ${sort}`);
  return { column, descending };
}

/** The empty value of each type that has one. */
const emptyValues: Partial<Record<ListColumn['type'], RawBuilder<unknown>>> = {
  text: sql`''`,
  'text[]': sql`'{}'`,
};

/** The value to sort by: null for an empty text or list. */
export function sortValue({ sql: text, type, required }: ListColumn): RawBuilder<unknown> {
  const value = sql.raw(text);
  const empty = emptyValues[type];
  return empty === undefined || required ? value : sql`nullif(${value}, ${empty})`;
}

/** A part of a sorted list that one index serves: rows with a value, or rows without one. */
export interface Segment {
  holds: 'values' | 'empty';
  condition: RawBuilder<boolean>;
  order: RawBuilder<unknown>;
}

/**
 * The parts of a sorted list in the order in which they are read. An index of a column that can be empty is descending
 * with empty values last (migration 0042); each direction names the order of empty values that this index has. The rows
 * without a value are read from the same index, which finds none at once; where it does not hold them, by their ids
 * (decision 0055).
 * @param backwards from the last row to the first
 */
export function segmentsOf({ column, descending }: Sort, backwards = false): Segment[] {
  const down = descending !== backwards;
  const direction = sql.raw(down ? 'desc' : 'asc');
  const value = sortValue(column);
  if (column.required) {
    const order = sql`${value} ${direction}, r.id ${direction}`;
    return [{ holds: 'values', condition: sql`true`, order }];
  }
  const nulls = sql.raw(down ? 'nulls last' : 'nulls first');
  const byId = sql`r.id ${direction}`;
  const order = sql`${value} ${direction} ${nulls}, ${byId}`;
  const segments: Segment[] = [
    { holds: 'values', condition: sql`${value} is not null`, order },
    { holds: 'empty', condition: sql`${value} is null`, order: column.isSparse ? byId : order },
  ];
  return backwards ? segments.toReversed() : segments;
}

/** The order of the whole list, for the rows of one page. */
export function orderBy({ column, descending }: Sort): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'desc' : 'asc');
  const nulls = column.required ? sql`` : sql` nulls last`;
  return sql`${sortValue(column)} ${direction}${nulls}, r.id ${direction}`;
}

/** Rows after the cursor in its segment. */
export const after = (sort: Sort, cursor: Cursor): RawBuilder<boolean> =>
  compared(sort, cursor, sort.descending ? '<' : '>');

/** Rows up to the cursor in its segment, with its own row. */
export const upTo = (sort: Sort, cursor: Cursor): RawBuilder<boolean> =>
  compared(sort, cursor, sort.descending ? '>=' : '<=');

function compared({ column }: Sort, { value, id }: Cursor, operator: string): RawBuilder<boolean> {
  const sign = sql.raw(operator);
  if (value === null) return sql`r.id ${sign} ${id}::uuid`;
  return sql`(${sortValue(column)}, r.id) ${sign} (${value}::${sql.raw(column.type)}, ${id}::uuid)`;
}
