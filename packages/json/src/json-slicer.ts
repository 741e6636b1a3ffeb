import {
  countValues,
  controlMessage,
  deepestJson,
  endsTooEarly,
  expectation,
  jsonBytes,
  type JsonObject,
  largestJson,
} from '@riskboard/domain';
import { nestsDeeper } from './json-depth.ts';
import { checkGrammar, JsonGrammar } from './json-grammar.ts';
import { NextElement } from './next-element.ts';
import { JsonSyntaxError } from './syntax-error.ts';
import { mostValues } from './most-values.ts';
import { isBlank, ValueEnd } from './value-end.ts';

export interface JsonSlice {
  /** The value's text; undefined when it is too deep or too large to be read, or has too many values: then it is JSON. */
  text: string | undefined;
  /** Why `text` is undefined. */
  problem: 'too-deep' | 'too-large' | 'too-many-values' | undefined;
  /** Offset of its first byte in the file. */
  at: number;
  /** When `text` is undefined: the value's bytes, or the first of them. Not to be used after the call. */
  bytes?: Buffer;
  /** The value of `text`, where the slicer has parsed it. */
  object?: JsonObject;
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

/** undefined when the text is not one JSON value; an object, as it starts with its bracket. */
function parseObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

const { quote, comma, colon, openList, closeList, openObject, closeObject } = jsonBytes;

/**
 * Cuts a stream of JSON bytes into the members of its root object and the elements of one of its lists, or does so for
 * every object of its root list, so that each can be parsed separately. Checks the grammar of the root as strictly as JSON.parse, and
 * that of values without a text; the parser of a slice checks its content. Chunks may end anywhere, but must be UTF-8.
 *
 * Memory: one slice, at most `largest`. No chunk is used after its push.
 */
export class JsonSlicer {
  readonly #handler: JsonHandler;
  readonly #largest: number;
  #state: State = 'root';
  /** Open objects and lists that are cut: at most a list of objects with a list. */
  readonly #open: ('object' | 'list')[] = [];
  #cutsNext = false;

  #capture: Capture | undefined;
  #parts: Buffer[] = [];
  #size = 0;
  /** Of a value that is too large to be kept. */
  #grammar: JsonGrammar | undefined;
  /** Offset in the file of the value that is captured. */
  #at = 0;
  /** Offset in the file of the first byte of the chunk. */
  #chunkStart = 0;
  readonly #value = new ValueEnd();
  readonly #next = new NextElement();

  /** @param largest bytes of a value that is read */
  constructor(handler: JsonHandler, largest = largestJson) {
    this.#handler = handler;
    this.#largest = largest;
  }

  /** @throws JsonSyntaxError where the root's grammar is broken */
  push(chunk: Buffer): void {
    this.#next.startChunk();
    let index = 0;
    while (index < chunk.length) {
      index = this.#capture === undefined ? this.#between(chunk, index) : this.#inside(chunk, index);
    }
    this.#chunkStart += chunk.length;
  }

  /** @throws JsonSyntaxError when the file ends before its root is complete */
  end(): void {
    if (this.#state === 'end') return;
    const missing = this.#capture === undefined ? expected[this.#state] : undefined;
    throw new JsonSyntaxError(endsTooEarly(missing), this.#chunkStart);
  }

  /** Reads one byte of the root's own grammar. */
  #between(chunk: Buffer, index: number): number {
    const byte = chunk[index] ?? 0;
    if (isBlank(byte)) return index + 1;
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
    this.#at = this.#chunkStart + index;
    this.#size = 0;
    this.#grammar = undefined;
    this.#value.start(byte);
    return byte === quote ? this.#keep(Buffer.from([quote]), index + 1) : index;
  }

  #keep(part: Buffer, next: number): number {
    this.#size += part.length;
    if (this.#size <= this.#largest) {
      this.#parts.push(part);
      return next;
    }
    if (this.#grammar === undefined) {
      this.#grammar = new JsonGrammar();
      for (const kept of this.#parts) this.#check(this.#grammar, kept);
    }
    this.#check(this.#grammar, part);
    // The first one may end after a few bytes.
    this.#parts.splice(2);
    return next;
  }

  /** @throws JsonSyntaxError where the grammar of a value is broken; without bytes, when it is not complete */
  #check(grammar: JsonGrammar, bytes?: Buffer): void {
    const fault = bytes === undefined ? grammar.end() : grammar.push(bytes);
    if (fault !== undefined) throw new JsonSyntaxError(fault.message, this.#at + fault.offset);
  }

  /** Reads to the end of the value or of the chunk. */
  #inside(chunk: Buffer, start: number): number {
    const isStart = this.#size === 0;
    if (isStart && this.#capture === 'element' && chunk[start] === openObject) {
      const end = this.#parseElement(chunk, start);
      if (end !== -1) return end;
    }
    const end = this.#value.find(chunk, start);
    if (end !== -1) {
      if (this.#capture === 'element') this.#next.learn(chunk, end);
      return this.#finish(chunk, start, end);
    }
    // A copy: the caller may use the memory of the chunk for other bytes.
    return this.#keep(Buffer.from(chunk.subarray(start)), chunk.length);
  }

  /**
   * Reads an object up to the separator before the next element, if that is where it ends.
   * @returns the index after it; -1 when its end must be found otherwise
   */
  #parseElement(chunk: Buffer, start: number): number {
    const end = this.#next.find(chunk, start);
    // A shorter object cannot have too many values.
    if (end === -1 || end - start > mostValues) return -1;
    const text = chunk.toString('utf8', start, end);
    const object = parseObject(text);
    this.#next.checked(object !== undefined);
    if (object === undefined) return -1;
    const at = this.#at;
    const slice: JsonSlice = nestsDeeper(object, deepestJson)
      ? { text: undefined, problem: 'too-deep', at, bytes: chunk.subarray(start, end) }
      : { text, problem: undefined, at, object };
    return this.#deliver(slice, end);
  }

  #finish(chunk: Buffer, start: number, end: number): number {
    this.#keep(chunk.subarray(start, end), end);
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const slice = this.#slice(bytes ?? Buffer.alloc(0));
    this.#parts = [];
    return this.#deliver(slice, end);
  }

  #deliver(slice: JsonSlice, end: number): number {
    const capture = this.#capture;
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
    if (this.#grammar !== undefined) {
      this.#check(this.#grammar);
      return { text: undefined, problem: 'too-large', at, bytes };
    }
    if (this.#value.deepest > deepestJson) {
      checkGrammar(bytes, at);
      return { text: undefined, problem: 'too-deep', at, bytes };
    }
    const text = bytes.toString('utf8');
    // Most texts are shorter than the limit, so that nothing in them is counted.
    if (text.length <= mostValues || countValues(text, mostValues).count <= mostValues)
      return { text, problem: undefined, at };
    checkGrammar(bytes, at);
    return { text: undefined, problem: 'too-many-values', at, bytes };
  }

  #refuse(byte: number, index: number): never {
    const message = byte < 0x20 ? controlMessage(byte) : expectation(expected[this.#state], byte);
    throw new JsonSyntaxError(message, this.#chunkStart + index);
  }
}
