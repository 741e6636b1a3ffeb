import type { ListFields } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OverviewMeasure } from '../overview/totals.ts';
import type { RecordTableName } from '../reports/assertions.ts';
import type { Condition } from './filter.ts';

/** Where a field of a list comes from. `sql` is part of this code, in terms of the row `r`; it never contains a value of a request. */
export interface ListColumn {
  sql: string;
  type:
    | 'text'
    | 'text[]'
    | 'numeric'
    | 'integer'
    | 'bigint'
    | 'double precision'
    | 'boolean'
    | 'date'
    | 'timestamptz'
    | 'uuid';
  /** Never empty, so that it is compared with the expression of the index. */
  required?: true;
  /** An index holds the rows in this order, in a list without a counter: with `newestBy`, not every column has one. */
  isIndexed?: true;
  /** The index of this sort holds only the rows with a value (migration 0042). */
  isSparse?: true;
  /**
   * The table has an index of this column itself, followed by the creation time (migration 0046): filters compare the
   * column, so that rows are counted in the index alone.
   */
  isCompared?: true;
  /** Named ranges, from `from` (included) to `below` (excluded). */
  bands?: readonly { value: string; from?: number; below?: number }[];
  /** SQL of an identifier's label, and of the time of its row: the label of the newest row is shown. */
  label?: { sql: string; at: string };
  /** SQL conditions of filter values that are not values of the column, such as `new`. */
  conditions?: Readonly<Record<string, string>>;
}

/** Name of the column of the list's table that a field shows as it is; undefined for an expression. */
export const tableColumn = ({ sql: text }: ListColumn): string | undefined => /^r\.(\w+)$/u.exec(text)?.[1];

/** Characters of a text by which rows are sorted; records have no longer ones. The cursor of a page holds them. */
const longestSorted = 500;

/** SQL of a column whose texts may be longer: the list is sorted, filtered and counted by their beginning. */
export const beginningOf = (column: string): string => `left(${column}, ${longestSorted})`;

/** The FROM clause of a statement that reads ids only. */
export const idsFrom = ({ ids, from }: Pick<ListSource, 'ids' | 'from'>): string => ids ?? from;

/** The order of a list's rows from the newest on, which an index holds. */
export const newestFirst = ({ newestBy }: Pick<ListSource, 'newestBy'>): RawBuilder<unknown> =>
  newestBy === undefined ? sql`r.id desc` : sql`${sql.raw(newestBy)} desc, r.id desc`;

/** A list of the contract over the tables of the database. */
export interface ListSource<F extends ListFields = ListFields> {
  fields: F;
  /** The FROM clause; its row is named `r`. */
  from: string;
  /**
   * Rows have no id of their own: one is made of their number in the file or import that the API always filters by. Other
   * files and imports have the same ids, so that no row is looked up by its id alone.
   */
  isIdNumber?: true;
  /**
   * The FROM clause that reads ids, where labels need a join: PostgreSQL removes a join that is not used, but then reads the
   * column that it was joined by from every row, and the index of the sort not alone.
   */
  ids?: string;
  /** The FROM clause that reads the rows of one page, where derived columns are cheaper to compute row by row. */
  shown?: string;
  columns: { readonly [K in keyof F & string]: ListColumn };
  /** SQL of the columns of a row, with the beginning of long texts. Default: all columns as they are. */
  rowColumns?: RawBuilder<unknown>;
  /** SQL of the time at which a row was created. Default: `r.created_at`. */
  createdAt?: string;
  /** Columns that are expensive to compute: a filter on one of them selects and counts rows in one scan. */
  derived?: readonly (keyof F & string)[];
  /** Condition of the search over the columns that a row shows. */
  search(pattern: string): RawBuilder<boolean>;
  /** The same search as a test of each row, and the ids that a trigram index finds. */
  searchIndex?: (
    pattern: string,
  ) => Required<Pick<Condition, 'isMetByRow' | 'ids'>> & Pick<Condition, 'find' | 'parts'>;
  /**
   * Filters of `extra` as a test of each row, which finds a page at once when the first rows of the list contain it; the
   * condition of `extra` finds all its rows first.
   */
  byRow?: Readonly<Record<string, ExtraFilter>>;
  /** The table of the rows, where the search role may read the columns of filters (decision 0043). */
  table?: RecordTableName | 'asset';
  /** The overview's counter of all rows of the list. Every column of such a list has an index to sort by (migration 0042). */
  counter?: OverviewMeasure;
  /**
   * SQL of the time by which an index holds the rows of a list without such a counter that grows without limit: facets count
   * only the newest rows that match, and name no range of other columns.
   */
  newestBy?: string;
  /** The filter of `extra` that the API always sets, where the list is a part of the table that such an index begins with. */
  scope?: string;
  /** All matching rows are counted: they are few, or belong to one file, whose accounting needs their exact number. */
  isCountedWhole?: true;
  /** Filters of `extra` that the API sets, and which may change between two pages: a cursor stays valid. */
  moving?: readonly string[];
  /**
   * SQL of the text that a row shows, of fields whose column is another value, for lines of CSV that PostgreSQL writes. Absent
   * where the api writes them.
   */
  cells?: { readonly [K in keyof F & string]?: string };
  /** SQL of the size in bytes of what a row has that may be long: an export reads fewer of such rows at once. */
  bytes?: RawBuilder<number>;
  /** Filters that are not fields. */
  extra: Readonly<Record<string, ExtraFilter>>;
  /** Filters by what the rows are linked to. */
  linked?: Readonly<Record<string, (value: string) => LinkedRows>>;
}

/** The condition of a filter that is not a field; a filter whose schema accepts several values receives all of them. */
type ExtraFilter = (...values: [string, ...string[]]) => RawBuilder<boolean>;

export interface LinkedRows {
  /** Query of the ids of the rows that meet the filter, each once; all of them are rows of the list. */
  ids: RawBuilder<unknown>;
  /** Tests a row `r`. */
  isMet: RawBuilder<boolean>;
}

/** The filter of a request; the contract's schema has checked its names. */
export type FilterInput = object;

/** A LIKE pattern that finds the text anywhere; wildcards in the text are escaped. */
export const contains = (search: string): string => `%${search.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
