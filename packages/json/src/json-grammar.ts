import { controlMessage, expectation, jsonBytes, type JsonFault } from '@riskboard/domain';
import { JsonSyntaxError } from './syntax-error.ts';

const { quote, comma, colon, openList, escape, closeList, openObject, closeObject } = jsonBytes;

type Expected = Parameters<typeof expectation>[0];

const literals: Readonly<Record<number, Buffer>> = {
  0x74: Buffer.from('true'),
  0x66: Buffer.from('false'),
  0x6e: Buffer.from('null'),
};
const escaped = new Set(Buffer.from('"\\/bfnrt'));

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/** The parts of a number (RFC 8259, section 6), named after what was read last; a number may end after those of `ends`. */
type NumberPart = 'minus' | 'zero' | 'integer' | 'point' | 'fraction' | 'e' | 'sign' | 'exponent';
const ends: ReadonlySet<NumberPart> = new Set(['zero', 'integer', 'fraction', 'exponent']);

/** The part of a number that a byte continues; undefined when it does not. */
function nextPart(part: NumberPart, byte: number): NumberPart | undefined {
  const isE = (byte | 0x20) === 0x65;
  if (part === 'minus') return byte === 0x30 ? 'zero' : isDigit(byte) ? 'integer' : undefined;
  if (part === 'zero' || part === 'integer') {
    if (byte === 0x2e) return 'point';
    if (isE) return 'e';
    return part === 'integer' && isDigit(byte) ? 'integer' : undefined;
  }
  if (part === 'point') return isDigit(byte) ? 'fraction' : undefined;
  if (part === 'fraction') return isE ? 'e' : isDigit(byte) ? 'fraction' : undefined;
  if (part === 'e' && (byte === 0x2b || byte === 0x2d)) return 'sign';
  return isDigit(byte) ? 'exponent' : undefined;
}

/** The open objects and lists, one bit each: a file can open one with each of its bytes. */
class OpenBrackets {
  #bits = new Uint8Array(64);
  #depth = 0;

  push(isObject: boolean): void {
    const at = this.#depth >> 3;
    if (at === this.#bits.length) {
      const larger = new Uint8Array(at * 2);
      larger.set(this.#bits);
      this.#bits = larger;
    }
    const bit = 1 << (this.#depth & 7);
    this.#bits[at] = isObject ? (this.#bits[at] ?? 0) | bit : (this.#bits[at] ?? 0) & ~bit;
    this.#depth += 1;
  }

  pop(): void {
    this.#depth -= 1;
  }

  /** The innermost one; undefined outside of all. */
  get last(): 'object' | 'list' | undefined {
    if (this.#depth === 0) return undefined;
    const at = this.#depth - 1;
    return ((this.#bits[at >> 3] ?? 0) & (1 << (at & 7))) === 0 ? 'list' : 'object';
  }
}

/**
 * Checks the grammar of one JSON value that is not parsed, as strictly as JSON.parse; its bytes may come in parts. Needs one bit
 * for each open bracket. UTF-8 is checked elsewhere.
 */
export class JsonGrammar {
  readonly #open = new OpenBrackets();
  #expected: Expected = 'value';
  #token: 'string' | 'literal' | 'number' | undefined;
  /** Of a string: it is a name. */
  #isName = false;
  /** Of a string: -1 after a backslash, otherwise the hexadecimal digits that must follow. */
  #escape = 0;
  #literal: Uint8Array = Buffer.alloc(0);
  #literalAt = 0;
  #part: NumberPart = 'minus';
  #offset = 0;

  /** @returns the first error, with its offset in all bytes; undefined when all bytes up to here are correct */
  push(bytes: Uint8Array): JsonFault | undefined {
    // A loop over indexes: an iterator takes several times as long.
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index] ?? 0;
      const message = this.#token === undefined ? this.#between(byte) : this.#inside(byte);
      if (message !== undefined) return { offset: this.#offset + index, message };
    }
    this.#offset += bytes.length;
    return undefined;
  }

  /** @returns the error of a value that is not complete */
  end(): JsonFault | undefined {
    const isNumber = this.#token === 'number' && ends.has(this.#part);
    if (isNumber) this.#afterValue();
    if (this.#expected === 'end' && (this.#token === undefined || isNumber)) return undefined;
    return { offset: this.#offset, message: expectation(this.#expected) };
  }

  /** @returns a message when the byte is not allowed between two tokens */
  #between(byte: number): string | undefined {
    if (isBlank(byte)) return undefined;
    const expected = this.#expected;
    const startsValue = expected.startsWith('value');
    if (byte === quote && (startsValue || expected.startsWith('name'))) {
      this.#token = 'string';
      this.#isName = !startsValue;
    } else if (startsValue && (byte === openObject || byte === openList)) {
      this.#open.push(byte === openObject);
      this.#expected = byte === openObject ? 'name or }' : 'value or ]';
    } else if (
      (byte === closeObject && expected.endsWith('}')) ||
      (byte === closeList && expected.endsWith(']'))
    ) {
      this.#open.pop();
      this.#afterValue();
    } else if (expected === ':' && byte === colon) this.#expected = 'value';
    else if (expected.startsWith(', or') && byte === comma)
      this.#expected = this.#open.last === 'object' ? 'name' : 'value';
    else if (!startsValue || !this.#startScalar(byte))
      return byte < 0x20 ? controlMessage(byte) : expectation(expected);
    return undefined;
  }

  #startScalar(byte: number): boolean {
    const literal = literals[byte];
    if (literal !== undefined) {
      this.#token = 'literal';
      this.#literal = literal;
      this.#literalAt = 1;
      return true;
    }
    const part = byte === 0x2d ? 'minus' : nextPart('minus', byte);
    if (part === undefined) return false;
    this.#token = 'number';
    this.#part = part;
    return true;
  }

  /** @returns a message when the byte is not allowed in the token */
  #inside(byte: number): string | undefined {
    if (this.#token === 'string') return this.#inString(byte);
    if (this.#token === 'literal') {
      if (this.#literal[this.#literalAt] !== byte) return expectation(this.#expected);
      this.#literalAt += 1;
      if (this.#literalAt === this.#literal.length) this.#afterValue();
      return undefined;
    }
    const part = nextPart(this.#part, byte);
    if (part !== undefined) this.#part = part;
    else if (!ends.has(this.#part)) return expectation(this.#expected);
    else {
      this.#afterValue();
      return this.#between(byte);
    }
    return undefined;
  }

  #inString(byte: number): string | undefined {
    if (this.#escape > 0) {
      if (!isHex(byte)) return 'Malformed JSON: a string contains an invalid escape sequence';
      this.#escape -= 1;
    } else if (this.#escape < 0) {
      if (byte !== 0x75 && !escaped.has(byte))
        return 'Malformed JSON: a string contains an invalid escape sequence';
      this.#escape = byte === 0x75 ? 4 : 0;
    } else if (byte < 0x20) return controlMessage(byte);
    else if (byte === escape) this.#escape = -1;
    else if (byte === quote) {
      if (this.#isName) {
        this.#token = undefined;
        this.#expected = ':';
      } else this.#afterValue();
    }
    return undefined;
  }

  #afterValue(): void {
    this.#token = undefined;
    const { last } = this.#open;
    this.#expected = last === undefined ? 'end' : last === 'object' ? ', or }' : ', or ]';
  }
}

/** @throws JsonSyntaxError where a whole value that starts at `at` in the file breaks the grammar of JSON */
export function checkGrammar(value: Uint8Array, at: number): void {
  const grammar = new JsonGrammar();
  const fault = grammar.push(value) ?? grammar.end();
  if (fault !== undefined) throw new JsonSyntaxError(fault.message, at + fault.offset);
}
