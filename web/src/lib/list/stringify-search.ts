import { defaultStringifySearch } from '@tanstack/react-router';

const isPrimitive = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Whether the router's parser would read the text as something else that does not say the same. */
function isMisread(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text);
    return !isPrimitive(read) || String(read) !== text;
  } catch {
    return false;
  }
}

/**
 * Search part of an address: a field of several values is repeated, `?severity=critical&severity=high`, as the API
 * takes it (contract, HTTP: lists); everything else is the router's own manner, whose parser reads both.
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
    // One value alone goes through the parser's JSON; of several, the router reads each as it stands.
    if (value.length === 1 && isMisread(String(first))) single[name] = String(first);
    else for (const one of value) repeated.append(name, String(one));
  }
  const start = defaultStringifySearch(single);
  if (repeated.size === 0) return start;
  return `${start === '' ? '?' : `${start}&`}${repeated}`;
}
