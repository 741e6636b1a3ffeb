import { arrayElement } from './text-format.ts';

type Cell = string | number | null;

/** Rows collected column by column, for one statement with `unnest`. */
export class ColumnArrays {
  readonly #columns: Cell[][];
  #length = 0;

  constructor(columns: number) {
    this.#columns = Array.from({ length: columns }, () => []);
  }

  get rows(): number {
    return this.#columns[0]?.length ?? 0;
  }

  /** Approximate number of collected characters. */
  get length(): number {
    return this.#length;
  }

  /** Adds a row, its cells in the order of the columns. */
  add(...cells: Cell[]): void {
    for (let index = 0; index < cells.length; index += 1) {
      const cell = cells[index] ?? null;
      this.#columns[index]?.push(cell);
      this.#length += typeof cell === 'string' ? cell.length + 3 : 8;
    }
  }

  /** An array for each column, as PostgreSQL reads it. */
  texts(): string[] {
    return this.#columns.map((cells) => `{${cells.map(arrayElement).join(',')}}`);
  }
}
