import { arrayElement } from './text-format.ts';
import { Utf8Text } from './utf8-text.ts';

type Cell = string | number | null;

/** Bytes of an empty column's buffer. */
const leastBytes = 32 * 1024;

/**
 * Rows collected column by column, for one statement with `unnest`. They wait outside the heap: in lists of texts they would
 * survive the first collections of garbage, and stay until V8 collects the whole heap.
 */
export class ColumnArrays {
  readonly #columns: Utf8Text[];
  #rows = 0;

  constructor(columns: number) {
    this.#columns = Array.from({ length: columns }, () => new Utf8Text(leastBytes));
  }

  get rows(): number {
    return this.#rows;
  }

  /** In bytes. */
  get length(): number {
    return this.#columns.reduce((sum, column) => sum + column.length, 0);
  }

  /** Adds a row, its cells in the order of the columns. */
  add(...cells: Cell[]): void {
    const before = this.#rows === 0 ? '{' : ',';
    for (const [index, column] of this.#columns.entries())
      column.add(before + arrayElement(cells[index] ?? null));
    this.#rows += 1;
  }

  /** Of each column, an array as PostgreSQL reads it, in UTF-8. */
  arrays(): Buffer[] {
    return this.#columns.map((column) => {
      column.add('}');
      return column.bytes();
    });
  }

  /** Returns the memory of the columns. Nothing may use `arrays()` of before. */
  release(): void {
    for (const column of this.#columns) column.release();
    this.#rows = 0;
  }
}
