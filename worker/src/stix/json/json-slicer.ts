import { controlMessage, deepestJson, expectation, jsonBytes, largestJson } from '@riskboard/domain';
import { ReportError } from '../report-error.ts';

/** Where a slice starts, for messages. */
export interface JsonPosition {
  /** 1-based. */
  line: number;
  /** 1-based, in bytes from the start of the line. */
  column: number;
}

export interface JsonSlice {
  /** The value's text; undefined when it is too deep or too large to be read. */
  text: string | undefined;
  /** Why `text` is undefined. */
  problem: 'too-deep' | 'too-large' | undefined;
  at: JsonPosition;
}

export interface JsonHandler {
  /** An object starts whose members follow: the root, or an element of the root list. */
  open(): void;
  /** That object ends. */
  close(): void;
  /** The text of a member's name, quotes included; true when its value, if a list, is to be cut into elements. */
  name(slice: JsonSlice): boolean;
  /** The value of the member named last, unless it is cut. */
  member(slice: JsonSlice): void;
  /** An element of the list that is cut: a member's value, or the root itself if the element is no object. */
  element(slice: JsonSlice): void;
  /** The root or the member named last is a list and is now cut. */
  list(): void;
}

/** Between values: what the root's own grammar expects next (RFC 8259). */
type State =
  | 'root'
  | 'first-name'
  | 'name'
  | 'colon'
  | 'member'
  | 'after-member'
  | 'first-element'
  | 'element'
  | 'after-element'
  | 'end';

type Capture = 'name' | 'member' | 'element';
type Shape = 'string' | 'composite' | 'scalar';

const expected = {
  root: 'value',
  'first-name': 'name or }',
  name: 'name',
  colon: ':',
  member: 'value',
  'after-member': ', or }',
  'first-element': 'value or ]',
  element: 'value',
  'after-element': ', or ]',
  end: 'end',
} as const satisfies Record<State, Parameters<typeof expectation>[0]>;

/** Bytes of a string that are checked one by one; for longer strings a search for the end is faster. */
const shortString = 32;

const { newline, quote, comma, colon, openList, escape, closeList, openObject, closeObject } = jsonBytes;

const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;

/**
 * Cuts a stream of JSON bytes into the members of its root object and the elements of one of its lists, or does so for
 * every object of its root list, so that each can be parsed separately. Checks the grammar of the root as strictly as JSON.parse; the
 * parser of a slice checks its content. Chunks may end anywhere, but must be UTF-8.
 *
 * Memory: one slice, at most `largestJson`.
 */
export class JsonSlicer {
  readonly #handler: JsonHandler;
  #state: State = 'root';
  /** Open objects and lists that are cut: at most a list of objects with a list. */
  readonly #open: ('object' | 'list')[] = [];
  #cutsNext = false;

  #capture: Capture | undefined;
  #shape: Shape = 'scalar';
  #parts: Buffer[] = [];
  #size = 0;
  #depth = 0;
  #deepest = 0;
  #inString = false;
  #escaped = false;
  #at: JsonPosition = { line: 1, column: 1 };

  #line = 1;
  /** Offset in the file of the first byte of the line. */
  #lineStart = 0;
  /** Offset in the file of the first byte of the chunk. */
  #base = 0;

  constructor(handler: JsonHandler) {
    this.#handler = handler;
  }

  /** @throws ReportError with line and column where the root's grammar is broken */
  push(chunk: Buffer): void {
    let index = 0;
    while (index < chunk.length) {
      index = this.#capture === undefined ? this.#between(chunk, index) : this.#inside(chunk, index);
    }
    this.#base += chunk.length;
  }

  /** @throws ReportError when the file ends before its root is complete */
  end(): void {
    if (this.#state === 'end') return;
    const where = this.#capture === undefined ? expectation(expected[this.#state]) : 'a value is not closed';
    throw new ReportError('malformed', `The JSON ends too early: ${where}`, this.#where(0));
  }

  /** Reads one byte of the root's own grammar. */
  #between(chunk: Buffer, index: number): number {
    const byte = chunk[index] ?? 0;
    if (isBlank(byte)) {
      if (byte === newline) this.#newline(index);
      return index + 1;
    }
    const next = this.#step(byte);
    if (next !== undefined) {
      this.#state = next;
      return index + 1;
    }
    const capture = this.#captureAt(byte);
    if (capture === undefined) this.#refuse(byte, index);
    return this.#begin(capture, byte, index);
  }

  /** The state after a byte of punctuation; undefined when the byte is not allowed here or not punctuation. */
  #step(byte: number): State | undefined {
    const state = this.#state;
    const inRootList = this.#open.length === 1 && (state === 'first-element' || state === 'element');
    if (byte === openObject && (state === 'root' || inRootList)) return this.#enter('object');
    const cutsList = state === 'root' || (state === 'member' && this.#cutsNext);
    if (byte === openList && cutsList) return this.#enter('list');
    if (state === 'colon') return byte === colon ? 'member' : undefined;
    if (state === 'after-member' && byte === comma) return 'name';
    if (state === 'after-element' && byte === comma) return 'element';
    if ((state === 'first-name' || state === 'after-member') && byte === closeObject) {
      this.#handler.close();
      return this.#leave();
    }
    const endsList = byte === closeList && (state === 'first-element' || state === 'after-element');
    return endsList ? this.#leave() : undefined;
  }

  #enter(what: 'object' | 'list'): State {
    this.#open.push(what);
    if (what === 'object') this.#handler.open();
    else this.#handler.list();
    return what === 'object' ? 'first-name' : 'first-element';
  }

  #leave(): State {
    this.#open.pop();
    const inside = this.#open.at(-1);
    if (inside === undefined) return 'end';
    return inside === 'object' ? 'after-member' : 'after-element';
  }

  /** The kind of the value that starts here; undefined when no value may start here. */
  #captureAt(byte: number): Capture | undefined {
    const state = this.#state;
    if (state === 'name' || state === 'first-name') return byte === quote ? 'name' : undefined;
    const starts =
      byte >= 0x20 && byte !== comma && byte !== colon && byte !== closeList && byte !== closeObject;
    if (!starts) return undefined;
    if (state === 'member') return 'member';
    return state === 'element' || state === 'first-element' ? 'element' : undefined;
  }

  #begin(capture: Capture, byte: number, index: number): number {
    this.#capture = capture;
    this.#at = { line: this.#line, column: this.#base + index - this.#lineStart + 1 };
    this.#depth = 0;
    this.#deepest = 0;
    this.#size = 0;
    this.#inString = byte === quote;
    this.#escaped = false;
    if (byte === quote) this.#shape = 'string';
    else this.#shape = byte === openObject || byte === openList ? 'composite' : 'scalar';
    return this.#shape === 'string' ? this.#keep(Buffer.from([quote]), index + 1) : index;
  }

  #keep(part: Buffer, next: number): number {
    this.#size += part.length;
    if (this.#size <= largestJson) this.#parts.push(part);
    else this.#parts = [];
    return next;
  }

  /** Reads to the end of the value or of the chunk. */
  #inside(chunk: Buffer, start: number): number {
    if (this.#shape === 'scalar') return this.#scalar(chunk, start);
    const end = this.#shape === 'string' ? this.#string(chunk, start) : this.#composite(chunk, start);
    return end === -1 ? this.#keep(chunk.subarray(start), chunk.length) : this.#finish(chunk, start, end);
  }

  #scalar(chunk: Buffer, start: number): number {
    let index = start;
    while (index < chunk.length && !this.#endsScalar(chunk[index] ?? 0)) index += 1;
    if (index === chunk.length) return this.#keep(chunk.subarray(start), index);
    return this.#finish(chunk, start, index);
  }

  #endsScalar(byte: number): boolean {
    return isBlank(byte) || byte === comma || byte === closeList || byte === closeObject;
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
        if (depth > this.#deepest) this.#deepest = depth;
      } else if (byte === closeObject || byte === closeList) {
        depth -= 1;
        if (depth === 0) return index;
      } else if (byte === newline) this.#newline(index - 1);
    }
    this.#depth = depth;
    return -1;
  }

  #finish(chunk: Buffer, start: number, end: number): number {
    this.#keep(chunk.subarray(start, end), end);
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const slice = this.#slice(bytes ?? Buffer.alloc(0));
    const capture = this.#capture;
    this.#parts = [];
    this.#capture = undefined;
    if (capture === 'name') {
      this.#cutsNext = this.#handler.name(slice);
      this.#state = 'colon';
    } else if (capture === 'member') {
      this.#handler.member(slice);
      this.#state = 'after-member';
    } else {
      this.#handler.element(slice);
      this.#state = 'after-element';
    }
    return end;
  }

  #slice(bytes: Buffer): JsonSlice {
    const at = this.#at;
    if (this.#size > largestJson) return { text: undefined, problem: 'too-large', at };
    if (this.#deepest > deepestJson) return { text: undefined, problem: 'too-deep', at };
    return { text: bytes.toString('utf8'), problem: undefined, at };
  }

  #newline(index: number): void {
    this.#line += 1;
    this.#lineStart = this.#base + index + 1;
  }

  #where(index: number): string {
    return `line ${this.#line}, column ${this.#base + index - this.#lineStart + 1}`;
  }

  #refuse(byte: number, index: number): never {
    const message = byte < 0x20 ? controlMessage(byte) : expectation(expected[this.#state]);
    throw new ReportError('malformed', message, this.#where(index));
  }
}
