import { releaseMemory } from '@riskboard/db';

type Cell = string | number | null;

/** Object identifiers of the types of elements (PostgreSQL catalog, pg_type). */
const typeIds = { int4: 23, text: 25 } as const;
type ElementType = keyof typeof typeIds;

/** Bytes before the first element. */
const headLength = 20;
/** Bytes of an empty array's buffer. */
const leastBytes = 32 * 1024;

/**
 * An array of one dimension as PostgreSQL receives it in binary (`array_recv` of its source): dimensions, whether an element
 * is null, type, size, number of the first element, then each element after its length.
 */
class BinaryArray {
  readonly #type: ElementType;
  #bytes = Buffer.alloc(0);
  #length = headLength;
  #size = 0;
  #hasNull = false;

  constructor(type: ElementType) {
    this.#type = type;
  }

  /** In bytes, 0 without elements. */
  get length(): number {
    return this.#size === 0 ? 0 : this.#length;
  }

  add(cell: Cell): void {
    this.#size += 1;
    if (cell === null) {
      this.#hasNull = true;
      this.#addInteger(-1);
    } else if (typeof cell === 'number') {
      this.#addInteger(4);
      this.#addInteger(cell);
    } else this.#addText(cell);
  }

  /** Of an array with elements. */
  bytes(): Buffer {
    const head = [1, Number(this.#hasNull), typeIds[this.#type], this.#size, 1];
    for (const [index, value] of head.entries()) this.#bytes.writeInt32BE(value, 4 * index);
    return this.#bytes.subarray(0, this.#length);
  }

  release(): void {
    releaseMemory(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    this.#length = headLength;
    this.#size = 0;
    this.#hasNull = false;
  }

  #addInteger(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeInt32BE(value, this.#length);
  }

  #addText(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    this.#reserve(4 + 3 * text.length);
    const written = this.#bytes.write(text, this.#length + 4, 'utf8');
    this.#bytes.writeInt32BE(written, this.#length);
    this.#length += 4 + written;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(leastBytes, needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    releaseMemory(this.#bytes);
    this.#bytes = larger;
  }
}

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
