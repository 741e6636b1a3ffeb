import { guardFormula } from '@riskboard/domain';
import { stringify, type Stringifier } from 'csv-stringify';
import { stringify as textOf } from 'csv-stringify/sync';

export interface CsvColumn {
  key: string;
  header: string;
}

const texts = (value: unknown): string => (Array.isArray(value) ? value.join('; ') : JSON.stringify(value));

/** Every cell is quoted, and one that a spreadsheet would run is escaped. */
const optionsOf = (columns: readonly CsvColumn[]) =>
  ({
    columns: [...columns],
    // Spreadsheets also split at semicolons or tabs, by locale: quotes keep a comma in its cell, and `guardFormula` escapes the parts.
    quoted: true,
    quoted_empty: true,
    // By default the library writes 1 for true and an empty cell for false. It has an option to escape formulas, which
    // cannot be undone on reading: a text that begins with an apostrophe and a formula is written as the formula is.
    cast: {
      boolean: String,
      string: guardFormula,
      object: (value: unknown) => guardFormula(texts(value)),
    },
  }) as const;

/** Objects in, CSV out. */
export const csvStream = (columns: readonly CsvColumn[]): Stringifier =>
  stringify({ ...optionsOf(columns), header: true, bom: true });

/** The first line of the same file. */
export const csvHeader = (columns: readonly CsvColumn[]): string =>
  textOf([], { ...optionsOf(columns), header: true, bom: true });

/** Its other lines, for these cells. */
export const csvLines = (columns: readonly CsvColumn[], rows: readonly unknown[][]): string =>
  textOf([...rows], optionsOf(columns));
