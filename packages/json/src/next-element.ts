import { jsonBytes } from '@riskboard/domain';
import { isBlank } from './value-end.ts';

const { newline, comma, quote, openObject } = jsonBytes;

/** Longer separators are not searched for: indentation and a name are shorter. */
const longestSeparator = 128;
/** Searches that may fail for one file, before the successful ones allow more. */
const freeFailures = 8;
/** Successful searches that allow one more to fail. */
const successesPerFailure = 8;

function skipBlanks(chunk: Buffer, start: number): number {
  let index = start;
  while (index < chunk.length && isBlank(chunk[index] ?? 0)) index += 1;
  return index;
}

/**
 * The bytes from the last bracket of an object, which ends before `end`, to the bracket of the next one on a line of its own,
 * or else to the end of its first name: alike between all elements that a program writes. Undefined when no object follows in
 * the chunk.
 */
function separatorAt(chunk: Buffer, end: number): Buffer | undefined {
  const next = skipBlanks(chunk, end);
  const opens = skipBlanks(chunk, next + 1);
  if (chunk[next] !== comma || chunk[opens] !== openObject) return undefined;
  let after = opens + 1;
  if (!chunk.subarray(next, opens).includes(newline)) {
    const name = skipBlanks(chunk, after);
    after = chunk[name] === quote ? chunk.indexOf(quote, name + 1) + 1 : 0;
  }
  if (after === 0 || after - end > longestSeparator) return undefined;
  // A copy: the caller may use the memory of the chunk for other bytes.
  return Buffer.from(chunk.subarray(end - 1, after));
}

/**
 * Where an object of a list may end, without reading its bytes one by one: at the bytes that separated elements before. The
 * caller must check that the bytes up to there are one value. Then the end is certain: no object continues after its closing
 * bracket, and none is complete before it.
 */
export class NextElement {
  #separator: Buffer | undefined;
  #failures = 0;
  #successes = 0;
  /** The rest of the chunk has no separator: it is searched once, however many objects it has. */
  #isLast = false;

  /** To be called before the first search in a chunk. */
  startChunk(): void {
    this.#isLast = false;
  }

  /** The index after the closing bracket of the object that starts at `start`; -1 when unknown. */
  find(chunk: Buffer, start: number): number {
    if (this.#separator === undefined || this.#isLast || !this.#isWorthwhile()) return -1;
    const found = chunk.indexOf(this.#separator, start + 1);
    this.#isLast = found === -1;
    return found === -1 ? -1 : found + 1;
  }

  /** Whether the index found last was the end of the object. */
  checked(isEnd: boolean): void {
    if (isEnd) this.#successes += 1;
    else this.#failures += 1;
  }

  /** Takes the separator after an object that ends before `end`, unless one is known. */
  learn(chunk: Buffer, end: number): void {
    this.#separator ??= separatorAt(chunk, end);
  }

  /** Not when the separator also occurs inside many objects, or many objects start with another name. */
  #isWorthwhile(): boolean {
    return this.#failures <= freeFailures + this.#successes / successesPerFailure;
  }
}
