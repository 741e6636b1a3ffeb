import { releaseMemory } from '@riskboard/db';

/** Characters that are encoded by one call. A call for each short text takes twice the time. */
const encodedTogether = 512;

/** A text that grows, kept as UTF-8 outside the heap: each part is encoded once. */
export class Utf8Text {
  readonly #leastBytes: number;
  #bytes = Buffer.alloc(0);
  #length = 0;
  /** Short parts that are not encoded yet. */
  #open = '';

  /** @param leastBytes of the buffer of a text */
  constructor(leastBytes: number) {
    this.#leastBytes = leastBytes;
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
    this.#encode();
    return this.#bytes.subarray(0, this.#length);
  }

  #encode(): void {
    // A UTF-16 unit takes at most three bytes.
    const needed = this.#length + 3 * this.#open.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#leastBytes, needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      releaseMemory(this.#bytes);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(this.#open, this.#length, 'utf8');
    this.#open = '';
  }

  /** Empties the text, and returns its memory. Nothing may use `bytes()` of before. */
  release(): void {
    releaseMemory(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    this.#open = '';
  }
}
