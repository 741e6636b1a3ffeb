import {
  type CsvImport,
  importableFields,
  importEntity,
  importLimits,
  type ImportNoun,
} from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { hasNoDigits } from './cell-values.ts';
import { matchColumns } from './match-columns.ts';
import { CsvFault, type CsvRow } from './parser.ts';
import { readCsv } from './read-csv.ts';

/** What an upload learns of a file. */
export interface CsvScan {
  columns: CsvImport['columns'];
  /** Below the header. */
  rows: number;
}

/** Characters of a sample that are kept. */
const sampleMax = 80;

function headersOf({ cells, line }: CsvRow): string[] {
  if (cells.length > importLimits.columns)
    throw new CsvFault(
      `The file has ${formatCount(cells.length)} columns; at most ${importLimits.columns} are accepted.`,
    );
  const headers = cells.map((cell) => cell.trim().slice(0, 200));
  const repeated = headers.find((header, at) => header !== '' && headers.indexOf(header) !== at);
  if (repeated !== undefined)
    throw new CsvFault(`Line ${line} has the column "${repeated}" twice. Give each column its own name.`);
  return headers;
}

/** What the first rows have in a column. */
type ColumnSamples = Required<Pick<CsvImport['columns'][number], 'samples' | 'filled'>>;

/** Different texts of each column, from the first rows that have one. */
class Samples {
  readonly #columns: ColumnSamples[];

  constructor(columns: number) {
    this.#columns = Array.from({ length: columns }, () => ({ samples: [], filled: true }));
  }

  add({ cells }: CsvRow): void {
    this.#columns.forEach((column, at) => {
      const { samples } = column;
      const text = cells[at]?.trim().slice(0, sampleMax).toWellFormed() ?? '';
      if (text === '') column.filled = false;
      else if (samples.length < importLimits.samples && !samples.includes(text)) samples.push(text);
    });
  }

  of(column: number): ColumnSamples {
    return this.#columns[column] ?? { samples: [], filled: false };
  }
}

/** A column of words is not one of numbers, such as the words of a scanner under the header "Risk". */
function fitsIn(noun: ImportNoun, samples: Samples): (field: string, column: number) => boolean {
  const { fields } = importEntity(noun);
  return (field, column) => {
    const type = fields[field]?.type;
    const { samples: texts } = samples.of(column);
    const isNumeric = type === 'number' || type === 'integer';
    return !isNumeric || texts.length === 0 || !texts.every(hasNoDigits);
  };
}

/** Rows in which samples are looked for. */
const sampled = 1000;

/**
 * Reads a whole file: its header row, samples of its columns, and the number of its rows.
 * @param pause awaited between parts of the file, so that other work of the process can run
 * @throws CsvFault saying what is wrong and in which line
 */
export async function scanCsv(
  bytes: AsyncIterable<Uint8Array>,
  noun: ImportNoun,
  pause: () => Promise<void>,
): Promise<CsvScan> {
  let headers: string[] | undefined;
  let samples = new Samples(0);
  let count = 0;
  for await (const { rows } of readCsv(bytes, pause)) {
    for (const row of rows) {
      if (!headers) {
        headers = headersOf(row);
        samples = new Samples(headers.length);
        continue;
      }
      count += 1;
      if (count <= sampled) samples.add(row);
    }
    if (count > importLimits.rows)
      throw new CsvFault(`The file has more than ${formatCount(importLimits.rows)} rows. Split it.`);
  }
  if (!headers) throw new CsvFault('The file is empty: its first row must name the columns.');
  if (count === 0) throw new CsvFault('The file has no rows below its header row.');
  const fields = matchColumns(headers, importableFields(noun), fitsIn(noun, samples));
  const columns = headers.map((header, index) => ({
    index,
    header,
    field: fields[index] ?? null,
    ...samples.of(index),
  }));
  return { columns, rows: count };
}
