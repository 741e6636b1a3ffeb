/** A field before and after an edit, as the activity log keeps it. */
export interface Change {
  from: unknown;
  to: unknown;
}

/** Characters of a text that the log keeps: enough to recognise it by. */
export const longestText = 200;

/** Cut between characters, never through one. */
const cut = (text: string): string =>
  text.length <= longestText ? text : `${text.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;

/** A value as JSON keeps it: absent is null, a moment its ISO form. */
const plain = (value: unknown): unknown =>
  value === undefined ? null : (JSON.parse(JSON.stringify(value) ?? 'null') as unknown);

function shown(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= longestText ? value : cut(text);
}

/** Two lists or objects are the same when they hold the same, whatever the order of their keys. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => same(left[key], right[key]));
}

/**
 * What an edit changes: `{field: {from, to}}` of the named fields that differ. A field that `after` does not name,
 * or only as undefined, is left alone (as Kysely's `set` does). Texts, lists and objects are compared whole and kept
 * with at most 200 characters. Name no field that holds a secret.
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
