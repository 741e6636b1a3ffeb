/** Where a byte is, for messages. */
export interface JsonPosition {
  /** 1-based. */
  line: number;
  /** 1-based, in bytes from the start of the line. */
  column: number;
}

/** Counts the lines of a file that is read in chunks. */
export class LineCounter {
  #line = 1;
  /** Offset in the file of the first byte of the line. */
  #lineStart = 0;
  /** Offset in the file of the first byte of the chunk. */
  #chunkStart = 0;

  /** @param index of the newline in the chunk */
  newline(index: number): void {
    this.#line += 1;
    this.#lineStart = this.#chunkStart + index + 1;
  }

  /** @param length of the chunk that has been read */
  endChunk(length: number): void {
    this.#chunkStart += length;
  }

  /** @param index of the byte in the chunk */
  at(index: number): JsonPosition {
    return { line: this.#line, column: this.#chunkStart + index - this.#lineStart + 1 };
  }
}
