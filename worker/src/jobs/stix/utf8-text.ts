import { GrowingBytes } from './growing-bytes.ts';

/** Characters that are encoded by one call. A call for each short text takes twice the time. */
const encodedTogether = 512;

/** A text that grows, kept as UTF-8 outside the heap: each part is encoded once. */
export class Utf8Text {
  readonly #bytes: GrowingBytes;
  #length = 0;
  /** Short parts that are not encoded yet. */
  #open = '';

  /** @param leastLength of the memory of a text, in bytes */
  constructor(leastLength: number) {
    this.#bytes = new GrowingBytes(leastLength);
  }

  /** In bytes, the last short parts in characters. */
  get length(): number {
    return this.#length + this.#open.length;
  }

  add(text: string): void {
    this.#open += text;
    if (this.#open.length >= encodedTogether) this.#encode();
  }

  bytes(): Buffer {
    return this.#encode().subarray(0, this.#length);
  }

  #encode(): Buffer {
    // A UTF-16 unit takes at most three bytes.
    const buffer = this.#bytes.withLength(this.#length + 3 * this.#open.length);
    this.#length += buffer.write(this.#open, this.#length, 'utf8');
    this.#open = '';
    return buffer;
  }

  /** Empties the text, and returns its memory. Nothing may use `bytes()` of before. */
  release(): void {
    this.#bytes.release();
    this.#length = 0;
    this.#open = '';
  }
}
