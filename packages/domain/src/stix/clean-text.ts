import { isVisible, oneLine, plainLine, withoutControls } from '../unicode.ts';

/** Whether PostgreSQL can store the text: NUL is error 22021, half a surrogate pair is error 22P02 in jsonb. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** A text as PostgreSQL can store it: NUL and lone surrogates become U+FFFD. */
export function cleanText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** A name as records have it (`plainLine`). Undefined without a visible character. */
export function recordName(text: string | undefined): string | undefined {
  const name = plainLine(text ?? '').trim();
  return isVisible(name) ? name : undefined;
}

/** The text up to a number of UTF-16 units, with an ellipsis when it is longer. */
export const shortened = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;

/**
 * A text of a file as a message quotes it: shortened, on one line and without control and direction characters, which would
 * reach terminals, mails and pages with the message.
 */
export const quotedText = (text: string, longest: number): string =>
  cleanText(oneLine(withoutControls(shortened(text, longest))));

/** A type as it is shown; STIX 2.1 section 3.1 allows 250 characters. */
export const boundedType = (type: string): string => shortened(type, 250);

/** NUL, or a surrogate that is not part of a pair: the u flag reads pairs as one character. */
const forbidden = /[\0\uD800-\uDFFF]/u;

/** `U+D800`: the first character of the text that cannot be stored. */
function forbiddenIn(text: string): string {
  const code = forbidden.exec(text)?.[0].charCodeAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Characters of a pointer that a message shows. */
const longestPointer = 200;

interface Unstorable {
  /** Steps to the text, from the innermost to the outermost. */
  steps: string[];
  text: string;
  isName: boolean;
}

function findUnstorable(value: unknown): Unstorable | undefined {
  if (typeof value === 'string')
    return isStorable(value) ? undefined : { steps: [], text: value, isName: false };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const found = isStorable(name) ? findUnstorable(item) : { steps: [], text: name, isName: true };
    if (found === undefined) continue;
    found.steps.push(name);
    return found;
  }
  return undefined;
}

/**
 * Why an object cannot be stored, naming the first property name or text with a forbidden character; undefined when it
 * can. The caller limits the depth of the object.
 */
export function unstorableReason(object: object): string | undefined {
  const found = findUnstorable(object);
  if (found === undefined) return undefined;
  const pointer = found.steps
    .toReversed()
    .map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  const what = found.isName ? 'The property name' : 'The text';
  return `${what} at ${quotedText(pointer, longestPointer)} contains ${forbiddenIn(found.text)}, which cannot be stored`;
}
