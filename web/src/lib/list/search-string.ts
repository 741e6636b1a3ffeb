import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

/**
 * The text inside a JSON string that is JSON itself; throws for every other text, which then stays as it is. The router
 * writes texts such as 10.0 in quotes, so that its own parser does not read them as numbers: links of that form are still
 * read.
 */
function quotedText(text: string): string {
  const quoted: unknown = JSON.parse(text);
  if (typeof quoted !== 'string') throw new TypeError('The text is not a JSON string.');
  JSON.parse(quoted);
  return quoted;
}

function isQuoted(text: string): boolean {
  try {
    quotedText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the search part of a URL. Values are texts as they are written, also 10.0 and [1]; only true, false, and numbers in
 * their shortest form are read as such, which loses nothing.
 */
export const parseSearch = parseSearchWith(quotedText);

const stringifySingle = stringifySearchWith(JSON.stringify, quotedText);

const isPrimitive = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/**
 * Writes the search part of a URL for `parseSearch`. A field with several values is repeated,
 * `?severity=critical&severity=high`, as in the API (contract, HTTP: lists).
 */
export function stringifySearch(search: Record<string, unknown>): string {
  const single: Record<string, unknown> = {};
  const repeated = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (!Array.isArray(value) || !value.every(isPrimitive)) {
      single[name] = value;
      continue;
    }
    const [first] = value;
    // Quotes are read in a single value, but not in repeated ones.
    if (value.length === 1 && isQuoted(String(first))) single[name] = String(first);
    else for (const one of value) repeated.append(name, String(one));
  }
  const start = stringifySingle(single);
  if (repeated.size === 0) return start;
  return `${start === '' ? '?' : `${start}&`}${repeated}`;
}
