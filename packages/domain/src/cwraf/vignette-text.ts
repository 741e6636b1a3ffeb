import { formatCount } from '../count.ts';
import { findJsonFault, positionIn } from '../stix/json-fault.ts';
import { shownText } from './file-fields.ts';

/** More levels, and more values and members, than any vignette needs: complete ones have a few hundred values. */
const deepest = 20;
const mostValues = 5000;

type Parsed =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly message: string };

const locate = (text: string, offset: number): string => {
  const { line, column } = positionIn(text, offset);
  return `line ${line}, column ${column}`;
};

/**
 * The end of the string that opens at `at`, or of the text. A loop: a regular expression backtracks over long strings.
 */
function stringEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

/**
 * Nesting that is too deep, or too many values, of a text that need not be JSON. Before `JSON.parse`, and ends where the
 * limit is exceeded: what is behind costs nothing.
 */
function findExcess(text: string): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = stringEnd(text, at) - 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === '{' || char === '[') {
      depth += 1;
      values += 1;
    } else if (char === ',') values += 1;
    if (depth > deepest) return `The file is nested more than ${deepest} levels deep (${locate(text, at)}).`;
    if (values > mostValues)
      return `The file has more than ${formatCount(mostValues)} values (${locate(text, at)}).`;
  }
  return undefined;
}

/** What `JSON.parse` accepts without notice: a property that an object has twice. */
function findRepeatedProperty(text: string): string | undefined {
  /** Names of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined);
      isName = char === '{';
    } else if (char === '}' || char === ']') open.pop();
    else if (char === ',') isName = open.at(-1) !== undefined;
    else if (char === ':') isName = false;
    else if (char === '"') {
      const end = stringEnd(text, at);
      if (isName) {
        const name = JSON.parse(text.slice(at, end)) as string;
        const names = open.at(-1);
        if (names?.has(name))
          return `The property ${shownText(name)} occurs twice in one object (${locate(text, at)}).`;
        names?.add(name);
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** Parses the text of a vignette's file, with or without a byte order mark. A fault is named with line and column. */
export function parseVignetteText(file: string): Parsed {
  const text = file.replace(/^\uFEFF/u, '');
  if (text.trim() === '') return { ok: false, message: 'The file is empty.' };
  const excess = findExcess(text);
  if (excess !== undefined) return { ok: false, message: excess };
  try {
    const json: unknown = JSON.parse(text);
    const message = findRepeatedProperty(text);
    return message === undefined ? { ok: true, json } : { ok: false, message };
  } catch {
    const { offset, message } = findJsonFault(text);
    return { ok: false, message: `${message} (${locate(text, offset)}).` };
  }
}
