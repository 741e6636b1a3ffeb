const blank = /[ \t\n\r]*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The position of the first error in a JSON text, and what the grammar expects there. */
export interface JsonFault {
  offset: number;
  message: string;
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or ]' | ', or }' | 'end';

const messages: Readonly<Record<Expected, string>> = {
  value: 'a value is expected here',
  'value or ]': 'a value or ] is expected here',
  name: 'a property name in double quotes is expected here',
  'name or }': 'a property name in double quotes or } is expected here',
  ':': 'a colon is expected here',
  ', or ]': 'a comma or ] is expected here',
  ', or }': 'a comma or } is expected here',
  end: 'the end of the text is expected here',
};

const escapes = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;

/**
 * The end of the string that opens at `at`, or the negated offset of the error in it, minus one: RFC 8259 section 7.
 * A loop, because a regular expression backtracks over strings of many megabytes.
 */
function stringEnd(text: string, at: number): number {
  let index = at + 1;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22) return index + 1;
    if (code < 0x20) break;
    if (code !== 0x5c) continue;
    escapes.lastIndex = index + 1;
    const length = escapes.exec(text)?.[0].length;
    if (length === undefined) break;
    index += length;
  }
  return -index - 1;
}

const codePoint = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

/** Control characters, NUL among them, are neither blanks nor allowed in strings (RFC 8259 sections 2 and 7). */
export const controlMessage = (code: number): string =>
  `Malformed JSON: the control character ${codePoint(code)} is not allowed here`;

const isControl = (code: number): boolean => code < 0x20 && ![0x09, 0x0a, 0x0d].includes(code);

function stringFault(text: string, offset: number): string {
  const code = text.charCodeAt(offset);
  if (code < 0x20)
    return `Malformed JSON: a string contains the control character ${codePoint(code)}, which must be escaped`;
  return offset >= text.length
    ? 'Malformed JSON: a string is not closed'
    : 'Malformed JSON: a string contains an invalid escape sequence';
}

/** 1-based line and column of an offset in a text. */
export function positionIn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** First characters of values of JSON that files have one after the other: objects, lists and strings. */
const beginsValue: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b, 0x22]);
const several =
  'the file has several JSON documents, one after the other as in JSON Lines, but one is expected; the second begins here';

/**
 * The error message for JSON that ends before its root is complete.
 * @param expected at the end, undefined inside a value
 */
export const endsTooEarly = (expected?: Expected): string =>
  `The JSON ends too early: ${expected === undefined ? 'a value is not closed' : messages[expected]}`;

/**
 * The error message for what the grammar of RFC 8259 expects.
 * @param found the code of the character in its place
 */
export function expectation(expected: Expected, found?: number): string {
  const isSecond = expected === 'end' && beginsValue.has(found);
  return `Malformed JSON: ${isSecond ? several : messages[expected]}`;
}

/**
 * Finds the first error of a text that JSON.parse rejected; V8's messages omit the position for short texts. Iterative, so
 * that nesting cannot overflow the stack.
 */
export function findJsonFault(text: string): JsonFault {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const length = pattern.exec(text)?.[0].length ?? 0;
    at += length;
    return length > 0;
  };
  const afterValue = (): Expected => {
    const inside = open.at(-1);
    if (inside === undefined) return 'end';
    return inside === '{' ? ', or }' : ', or ]';
  };
  for (;;) {
    skip(blank);
    const char = text[at];
    const end = char === '"' && /^(?:name|value)/.test(expected) ? stringEnd(text, at) : 0;
    if (end < 0) return { offset: -end - 1, message: stringFault(text, -end - 1) };
    const closes = (char === '}' && expected.endsWith('}')) || (char === ']' && expected.endsWith(']'));
    if (closes) {
      at += 1;
      open.pop();
      expected = afterValue();
    } else if (expected === ':' && char === ':') {
      at += 1;
      expected = 'value';
    } else if (expected.startsWith(', or') && char === ',') {
      at += 1;
      expected = open.at(-1) === '{' ? 'name' : 'value';
    } else if (end > 0) {
      at = end;
      expected = expected.startsWith('name') ? ':' : afterValue();
    } else if (expected.startsWith('value') && (char === '{' || char === '[')) {
      at += 1;
      open.push(char);
      expected = char === '{' ? 'name or }' : 'value or ]';
    } else if (expected.startsWith('value') && skip(scalar)) expected = afterValue();
    else {
      const code = text.charCodeAt(at);
      return { offset: at, message: isControl(code) ? controlMessage(code) : expectation(expected, code) };
    }
  }
}
