import type { Field, Fields } from './field.ts';

/** A related record by name. */
export interface RelatedRecord {
  _id: string;
  name: string;
  description: string;
}

type Flat<T> = { [K in keyof T]: T[K] };

type Nullable<F extends Field, T> = F extends { notNull: true } ? T : T | null;

/** The value of a field as the API sends it. */
export type ValueOf<F extends Field> = F extends { type: 'text' | 'prose' }
  ? string
  : F extends { type: 'number' | 'integer' | 'scale' | 'code' }
    ? Nullable<F, number>
    : F extends { type: 'choice'; labels: infer L }
      ? Nullable<F, F extends { open: true } ? string : keyof L & string>
      : F extends { type: 'flag' }
        ? boolean
        : F extends { type: 'tags' }
          ? string[]
          : F extends { type: 'relations' }
            ? RelatedRecord[]
            : Nullable<F, string>;

/** The value of a field as a request may send it: numbers or an empty string when blank (spec 5). */
export type InputValueOf<F extends Field> = F extends { type: 'number' | 'integer' | 'scale' | 'code' }
  ? F extends { required: true }
    ? number
    : number | '' | null
  : F extends { type: 'choice'; labels: infer L }
    ? keyof L & string
    : F extends { type: 'tags' }
      ? string | string[]
      : F extends { type: 'relations' }
        ? (string | { _id: string })[]
        : F extends { type: 'day' }
          ? F extends { required: true }
            ? string
            : string | null
          : F extends { type: 'flag' }
            ? boolean
            : string;

type KeysWith<F extends Fields, Shape> = { [K in keyof F & string]: F[K] extends Shape ? K : never }[keyof F &
  string];

/** A row of a list. `version`: for `If-Match` of a change that is made in the row. */
export type RowOf<F extends Fields> = Flat<
  { _id: string; version: number } & { -readonly [K in KeysWith<F, { list: true }>]: ValueOf<F[K]> }
>;

/** All fields of a record. */
export type DetailOf<F extends Fields> = Flat<
  RowOf<F> & { -readonly [K in KeysWith<F, { detail: true }>]: ValueOf<F[K]> }
>;

/** Names of the fields that a person may set. */
export type EditableOf<F extends Fields> = KeysWith<F, { form: object }>;
export type RequiredOf<F extends Fields> = KeysWith<F, { required: true }>;
export type BulkOf<F extends Fields> = KeysWith<F, { bulk: true }>;
/** Names of the fields that a list has as columns or filters. */
export type ListedOf<F extends Fields> = KeysWith<F, { sortable: true } | { filter: string }>;

/** The body of a create request; a change may send any subset. */
export type InputOf<F extends Fields> = Flat<
  { [K in EditableOf<F> & RequiredOf<F>]: InputValueOf<F[K]> } & {
    [K in Exclude<EditableOf<F>, RequiredOf<F>>]?: InputValueOf<F[K]> | undefined;
  }
>;

/** Column of each field that a person may set and that has one. */
export type ColumnsOf<F extends Fields> = {
  readonly [K in EditableOf<F> as F[K]['column'] extends string ? K : never]: F[K]['column'];
};

const entriesOf = (fields: Fields): [string, Field][] => Object.entries(fields);

/** Names of the fields that a person may set, in the order of the table. */
export const editableFields = <F extends Fields>(fields: F): EditableOf<F>[] =>
  entriesOf(fields).flatMap(([name, field]) => (field.form ? [name as EditableOf<F>] : []));

/** Names of the fields that a list has as columns or filters, in the order of the table. */
export const listedFields = <F extends Fields>(fields: F): ListedOf<F>[] =>
  entriesOf(fields).flatMap(([name, field]) => (field.sortable || field.filter ? [name as ListedOf<F>] : []));

/** Column of each field that a person may set and that has one. */
export const editableColumns = <F extends Fields>(fields: F): ColumnsOf<F> =>
  Object.fromEntries(
    entriesOf(fields).flatMap(([name, { form, column }]) =>
      form && column !== null ? [[name, column]] : [],
    ),
  ) as ColumnsOf<F>;

/** Labels of a field's values by value; of a field without such, undefined. */
export const valueLabels = (field: Field): Readonly<Record<string, string>> | undefined =>
  'labels' in field ? field.labels : undefined;

/** The empty value of a field, which a new record has before anything is entered. */
export function blankValue(field: Field): string | number | boolean | string[] | null {
  if ('default' in field && field.default !== undefined) return field.default;
  if (field.type === 'text' || field.type === 'prose') return '';
  return field.type === 'tags' || field.type === 'relations' ? [] : null;
}
