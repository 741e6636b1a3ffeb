import { releaseMemory } from '../../stix/release-memory.ts';

/** Bytes of an empty text's buffer: a batch with its last row. */
const leastBytes = 320 * 1024;

/** A text that grows, kept as UTF-8: each part is encoded once, and no string waits until the whole is written. */
export class Utf8Text {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    const needed = this.#length + 3 * text.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(leastBytes, needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      releaseMemory(this.#bytes);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Empties the text, and returns its memory. Nothing may use `bytes()` of before. */
  release(): void {
    releaseMemory(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}
