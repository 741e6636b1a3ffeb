import type { ListFields } from '@riskboard/contract';
import type { RawBuilder } from 'kysely';

/** Where a field of a list comes from. `sql` is ours, in terms of the row `r`; values of a request never stand in it. */
export interface ListColumn {
  sql: string;
  type: 'text' | 'text[]' | 'numeric' | 'integer' | 'boolean' | 'date' | 'timestamptz' | 'uuid';
  /** Never empty: then it is compared as the index has it. */
  required?: true;
  /** Ranges that have a name: from `from` on, and below `below`. */
  bands?: readonly { value: string; from?: number; below?: number }[];
  /** Of identifiers: what each is called, as the newest row with it says. */
  called?: { sql: string; at: string };
  /** Values that stand for a condition of their own, as `new` does. */
  meanings?: Readonly<Record<string, string>>;
}

/** A list of the contract over the tables of the database. */
export interface ListSource<F extends ListFields = ListFields> {
  fields: F;
  /** What follows FROM; the row is called `r`. */
  from: string;
  /** The same for the few rows of a page, where what they show is dear to work out for all. */
  shown?: string;
  columns: { readonly [K in keyof F & string]: ListColumn };
  /** Columns that are dear to work out: rows that are looked for by them are looked for and counted in one walk. */
  derived?: readonly (keyof F & string)[];
  /** Columns that words are looked for in. */
  search(pattern: string): RawBuilder<boolean>;
  /** Filters beyond the fields. */
  extra: Readonly<Record<string, (value: string) => RawBuilder<boolean>>>;
}

/** What a request asks for, its names checked by the contract's schema. */
export type FilterInput = object;

/** A LIKE pattern that finds the text anywhere; its own wildcards are plain characters. */
export const contains = (search: string): string => `%${search.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
