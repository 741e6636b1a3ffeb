import { guardFormula } from '@riskboard/domain';
import { stringify, type Stringifier } from 'csv-stringify';

export interface CsvColumn {
  key: string;
  header: string;
}

const texts = (value: unknown): string => (Array.isArray(value) ? value.join('; ') : JSON.stringify(value));

/** Objects in, CSV out: every cell is quoted, and one that a spreadsheet would run is escaped. */
export const csvStream = (columns: readonly CsvColumn[]): Stringifier =>
  stringify({
    header: true,
    columns: [...columns],
    bom: true,
    // Spreadsheets also split at semicolons or tabs, by locale, and a part of a cell would run as a formula (OWASP, CSV Injection).
    quoted: true,
    quoted_empty: true,
    // By default the library writes 1 for true and an empty cell for false. It has an option to escape formulas, which
    // cannot be undone on reading: a text that begins with an apostrophe and a formula is written as the formula is.
    cast: {
      boolean: String,
      string: guardFormula,
      object: (value: unknown) => guardFormula(texts(value)),
    },
  });
