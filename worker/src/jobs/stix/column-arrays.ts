import { BinaryArray, type Cell, type ElementType } from './binary-array.ts';

/**
 * Rows collected column by column, for one statement with `unnest`. They wait outside the heap: in lists of texts they would
 * survive the first collections of garbage, and stay until V8 collects the whole heap.
 */
export class ColumnArrays {
  readonly #columns: BinaryArray[];
  #rows = 0;

  /** @param types of the elements of each column */
  constructor(types: readonly ElementType[]) {
    this.#columns = types.map((type) => new BinaryArray(type));
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
    for (const [index, column] of this.#columns.entries()) column.add(cells[index] ?? null);
    this.#rows += 1;
  }

  /** Of each column, an array in PostgreSQL's binary format; the driver sends bytes as such. */
  arrays(): Buffer[] {
    return this.#columns.map((column) => column.bytes());
  }

  /** Returns the memory of the columns. Nothing may use `arrays()` of before. */
  release(): void {
    for (const column of this.#columns) column.release();
    this.#rows = 0;
  }
}
