/** A field before and after an edit, as stored in the activity log. */
export interface Change {
  from: unknown;
  to: unknown;
}

/** Characters of a text that the log stores: enough to recognise it. */
export const longestText = 200;

/** Never splits a surrogate pair. */
const cut = (text: string): string =>
  text.length <= longestText ? text : `${text.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;

/** A value as JSON stores it: undefined as null, a Date as its ISO form. */
const plain = (value: unknown): unknown =>
  value === undefined ? null : (JSON.parse(JSON.stringify(value) ?? 'null') as unknown);

function shown(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= longestText ? value : cut(text);
}

/** Deep equality; the order of an object's keys does not matter. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => same(left[key], right[key]));
}

/**
 * The changes of an edit: `{field: {from, to}}` for the listed fields that differ. A field that is absent or undefined
 * in `after` is unchanged (as in Kysely's `set`). Texts, lists and objects are compared in full and stored with at most
 * 200 characters. Do not list fields that hold a secret.
 */
export function changesOf<T extends object>(
  before: T,
  after: Partial<Record<keyof T, unknown>>,
  fields: readonly (keyof T & string)[],
): Record<string, Change> {
  const changes: Record<string, Change> = {};
  for (const field of fields) {
    if (after[field] === undefined) continue;
    const from = plain(before[field]);
    const to = plain(after[field]);
    if (!same(from, to)) changes[field] = { from: shown(from), to: shown(to) };
  }
  return changes;
}
