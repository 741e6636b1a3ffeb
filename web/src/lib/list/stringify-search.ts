import { defaultStringifySearch } from '@tanstack/react-router';

const isPrimitive = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Whether the router's parser would change the text. */
function isMisread(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text);
    return !isPrimitive(read) || String(read) !== text;
  } catch {
    return false;
  }
}

/**
 * Writes the search part of a URL. A field with several values is repeated, `?severity=critical&severity=high`, as in
 * the API (contract, HTTP: lists); everything else is in the router's format, whose parser reads both.
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
    // The router parses a single value as JSON, but takes repeated values as text.
    if (value.length === 1 && isMisread(String(first))) single[name] = String(first);
    else for (const one of value) repeated.append(name, String(one));
  }
  const start = defaultStringifySearch(single);
  if (repeated.size === 0) return start;
  return `${start === '' ? '?' : `${start}&`}${repeated}`;
}
