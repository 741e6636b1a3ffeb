import { jsonBytes } from '@riskboard/domain';

const { newline, quote, comma, openList, escape, closeList, openObject, closeObject } = jsonBytes;

/** Bytes of a string that are checked one by one; for longer strings a search for the end is faster. */
const shortString = 32;

/** RFC 8259, section 2: the bytes between two tokens. */
export const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;

const endsScalar = (byte: number): boolean =>
  isBlank(byte) || byte === comma || byte === closeList || byte === closeObject;

/** Finds the end of one JSON value after another without parsing it; a value may begin in one chunk and end in a later one. */
export class ValueEnd {
  /** Greatest depth of brackets in the value. */
  deepest = 0;
  #shape: 'string' | 'composite' | 'scalar' = 'scalar';
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** Begins with a value. @param byte its first; of a string, `find` expects the bytes after it */
  start(byte: number): void {
    this.deepest = 0;
    this.#depth = 0;
    this.#inString = byte === quote;
    this.#escaped = false;
    if (byte === quote) this.#shape = 'string';
    else this.#shape = byte === openObject || byte === openList ? 'composite' : 'scalar';
  }

  /** The index after the value that continues at `start`; -1 when the chunk ends before it. */
  find(chunk: Buffer, start: number): number {
    if (this.#shape === 'scalar') return this.#scalar(chunk, start);
    return this.#shape === 'string' ? this.#string(chunk, start) : this.#composite(chunk, start);
  }

  /** The index after the last byte of a number or literal; -1 when the chunk may end inside it. */
  #scalar(chunk: Buffer, start: number): number {
    let index = start;
    while (index < chunk.length && !endsScalar(chunk[index] ?? 0)) index += 1;
    return index === chunk.length ? -1 : index;
  }

  /** The index after the closing quote; -1 when the chunk ends before it. */
  #string(chunk: Buffer, start: number): number {
    let index = start;
    if (this.#escaped) {
      this.#escaped = false;
      index += 1;
    }
    const near = Math.min(index + shortString, chunk.length);
    while (index < near) {
      const byte = chunk[index];
      if (byte === quote) {
        this.#inString = false;
        return index + 1;
      }
      index += byte === escape ? 2 : 1;
    }
    return this.#longString(chunk, index);
  }

  /** The same for a long string: the next quote closes it unless it follows an odd number of backslashes. */
  #longString(chunk: Buffer, start: number): number {
    let index = start;
    while (index < chunk.length) {
      const found = chunk.indexOf(quote, index);
      const end = found === -1 ? chunk.length : found;
      let run = end;
      while (run > index && chunk[run - 1] === escape) run -= 1;
      const escaped = (end - run) % 2 === 1;
      if (found === -1) {
        this.#escaped = escaped;
        return -1;
      }
      index = found + 1;
      if (!escaped) {
        this.#inString = false;
        return index;
      }
    }
    this.#escaped = index > chunk.length;
    return -1;
  }

  /** The index after the bracket that closes the value; -1 when the chunk ends before it. */
  #composite(chunk: Buffer, start: number): number {
    let index = start;
    let depth = this.#depth;
    while (index < chunk.length) {
      if (this.#inString) {
        index = this.#string(chunk, index);
        if (index === -1) break;
        continue;
      }
      const byte = chunk[index];
      index += 1;
      if (byte === quote) this.#inString = true;
      else if (byte === openObject || byte === openList) {
        depth += 1;
        if (depth > this.deepest) this.deepest = depth;
      } else if (byte === closeObject || byte === closeList) {
        depth -= 1;
        if (depth === 0) return index;
      }
    }
    this.#depth = depth;
    return -1;
  }
}
