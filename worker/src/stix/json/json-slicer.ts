import { controlMessage, deepestJson, expectation, jsonBytes, largestJson } from '@riskboard/domain';
import { ReportError } from '../report-error.ts';
import { type JsonPosition, LineCounter } from './line-counter.ts';
import { isBlank, ValueEnd } from './value-end.ts';

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

const { newline, quote, comma, colon, openList, closeList, openObject, closeObject } = jsonBytes;

/**
 * Cuts a stream of JSON bytes into the members of its root object and the elements of one of its lists, or does so for
 * every object of its root list, so that each can be parsed separately. Checks the grammar of the root as strictly as JSON.parse; the
 * parser of a slice checks its content. Chunks may end anywhere, but must be UTF-8.
 *
 * Memory: one slice, at most `largestJson`. No chunk is used after its push.
 */
export class JsonSlicer {
  readonly #handler: JsonHandler;
  #state: State = 'root';
  /** Open objects and lists that are cut: at most a list of objects with a list. */
  readonly #open: ('object' | 'list')[] = [];
  #cutsNext = false;

  #capture: Capture | undefined;
  #parts: Buffer[] = [];
  #size = 0;
  #at: JsonPosition = { line: 1, column: 1 };
  readonly #lines = new LineCounter();
  readonly #value = new ValueEnd(this.#lines);

  constructor(handler: JsonHandler) {
    this.#handler = handler;
  }

  /** @throws ReportError with line and column where the root's grammar is broken */
  push(chunk: Buffer): void {
    let index = 0;
    while (index < chunk.length) {
      index = this.#capture === undefined ? this.#between(chunk, index) : this.#inside(chunk, index);
    }
    this.#lines.endChunk(chunk.length);
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
      if (byte === newline) this.#lines.newline(index);
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
    this.#at = this.#lines.at(index);
    this.#size = 0;
    this.#value.start(byte);
    return byte === quote ? this.#keep(Buffer.from([quote]), index + 1) : index;
  }

  #keep(part: Buffer, next: number): number {
    this.#size += part.length;
    if (this.#size <= largestJson) this.#parts.push(part);
    else this.#parts = [];
    return next;
  }

  /** Reads to the end of the value or of the chunk. */
  #inside(chunk: Buffer, start: number): number {
    const end = this.#value.find(chunk, start);
    if (end !== -1) return this.#finish(chunk, start, end);
    // A copy: the caller may use the memory of the chunk for other bytes.
    return this.#keep(Buffer.from(chunk.subarray(start)), chunk.length);
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
    if (this.#value.deepest > deepestJson) return { text: undefined, problem: 'too-deep', at };
    return { text: bytes.toString('utf8'), problem: undefined, at };
  }

  #where(index: number): string {
    const { line, column } = this.#lines.at(index);
    return `line ${line}, column ${column}`;
  }

  #refuse(byte: number, index: number): never {
    const message = byte < 0x20 ? controlMessage(byte) : expectation(expected[this.#state]);
    throw new ReportError('malformed', message, this.#where(index));
  }
}
