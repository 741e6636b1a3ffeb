/** Represents an empty value in every filter (spec 5, Lists). */
export const notAvailable = 'N/A';

/** Rows of a list beyond this number are not counted: `total` is this and `totalIsCapped` is true. */
export const mostCounted = 10_000;

/** A bulk action above this many rows runs as a job. */
export const mostAtOnce = 500;

/** The same for the deletion of reports, which deletes what they asserted: files, and their objects together. */
export const mostReportsAtOnce = { files: 100, objects: 100_000 } as const;

/** The same for the deletion of assets and projects, which changes each vulnerability that is related to one of the assets. */
export const mostRelationsAtOnce = 10_000;

/**
 * A column of a list, declared once: the query that is accepted, the SQL, the table's head, the filters and the export
 * are derived from it.
 */
export interface ListField {
  /** Shown to users. */
  label: string;
  /**
   * text: shown and sorted. choice: filtered by values. number, day, time: filtered from a least to a greatest value; days
   * are calendar days, times are moments.
   */
  kind: 'text' | 'choice' | 'number' | 'day' | 'time';
  /** Values that a filter accepts; absent: any value. For a number, the names of its bands. */
  values?: readonly string[];
  /** Of a choice: its values are identifiers. */
  ids?: true;
  /** For a choice: its values are steps of a scale, so that a filter also accepts a range of them. */
  levels?: true;
  /** Values that select rows which have another value too, such as `new`; facets do not count them. */
  uncounted?: readonly string[];
  /** Labels of values, by value. */
  labels?: Readonly<Record<string, string>>;
  sortable?: false;
}

export type ListFields = Readonly<Record<string, ListField>>;

type Named<F extends ListFields, Kinds extends ListField['kind']> = {
  [K in keyof F & string]: F[K]['kind'] extends Kinds ? K : never;
}[keyof F & string];

type Levels<F extends ListFields> = {
  [K in keyof F & string]: F[K] extends { levels: true } ? K : never;
}[keyof F & string];

/** Filters of a list: rows by id, values of choices and bands, ranges of numbers and times, search terms. */
export type ListFilter<F extends ListFields> = { search?: string; ids?: string[] } & {
  [K in Named<F, 'choice' | 'number' | 'day' | 'time'>]?: string[];
} & { [K in Named<F, 'number'> | Levels<F> as `${K}Min` | `${K}Max`]?: number } & {
  [K in Named<F, 'day' | 'time'> as `${K}Min` | `${K}Max`]?: string;
};

export interface ListPage {
  page: number;
  pageSize: number;
  sort: string;
  /** Walks the whole list at constant cost: `nextCursor` of the page before. */
  cursor?: string;
  /** Counts all matching rows, however many: the cost grows with them. */
  total?: 'exact';
}

/** A list: its columns, and how it is sorted unless the query says otherwise. */
export interface List<F extends ListFields> {
  readonly fields: F;
  readonly standard: string;
  /** Other names that a sort accepts, each with the field that it means. */
  readonly sortNames?: Readonly<Record<string, keyof F & string>>;
}

/** Declares a list; `listSchemas` derives the schemas of its queries. */
export const defineList = <const F extends ListFields>(
  fields: F,
  standard: string,
  sortNames: Readonly<Record<string, keyof F & string>> = {},
): List<F> => ({ fields, standard, sortNames });
