import { releaseMemory } from '@riskboard/db';

/** Bytes that grow outside the heap. Their memory is returned at once, not when V8 collects garbage. */
export class GrowingBytes {
  readonly #leastLength: number;
  #buffer = Buffer.alloc(0);

  /** @param leastLength of the memory, once there are bytes */
  constructor(leastLength: number) {
    this.#leastLength = leastLength;
  }

  /** The memory with at least this length, with the bytes from before. Memory that was returned earlier may not be used. */
  withLength(length: number): Buffer {
    if (length <= this.#buffer.length) return this.#buffer;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#leastLength, length, 2 * this.#buffer.length));
    this.#buffer.copy(larger);
    this.release();
    this.#buffer = larger;
    return larger;
  }

  /** Returns the memory. Nothing may use it or a part of it afterwards. */
  release(): void {
    releaseMemory(this.#buffer);
    this.#buffer = Buffer.alloc(0);
  }
}
