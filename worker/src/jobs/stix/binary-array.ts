import { GrowingBytes } from './growing-bytes.ts';

export type Cell = string | number | null;

/** Object identifiers of the types of elements (PostgreSQL catalog, pg_type). */
const typeIds = { int4: 23, text: 25 } as const;
export type ElementType = keyof typeof typeIds;

/** Bytes before the first element. */
const headLength = 20;
/** Bytes of the memory of an array with elements. */
const leastLength = 32 * 1024;

/**
 * An array of one dimension as PostgreSQL receives it in binary (`array_recv` of its source): dimensions, whether an element
 * is null, type, size, number of the first element, then each element after its length.
 */
export class BinaryArray {
  readonly #type: ElementType;
  readonly #bytes = new GrowingBytes(leastLength);
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

  /** @param cell a number is an integer of 32 bits */
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
    const buffer = this.#bytes.withLength(this.#length);
    const head = [1, Number(this.#hasNull), typeIds[this.#type], this.#size, 1];
    for (const [index, value] of head.entries()) buffer.writeInt32BE(value, 4 * index);
    return buffer.subarray(0, this.#length);
  }

  /** Empties the array, and returns its memory. Nothing may use `bytes()` of before. */
  release(): void {
    this.#bytes.release();
    this.#length = headLength;
    this.#size = 0;
    this.#hasNull = false;
  }

  #addInteger(value: number): void {
    this.#length = this.#bytes.withLength(this.#length + 4).writeInt32BE(value, this.#length);
  }

  #addText(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    const buffer = this.#bytes.withLength(this.#length + 4 + 3 * text.length);
    const written = buffer.write(text, this.#length + 4, 'utf8');
    buffer.writeInt32BE(written, this.#length);
    this.#length += 4 + written;
  }
}
