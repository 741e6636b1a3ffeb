/**
 * A text as PostgreSQL can store it: NUL becomes U+FFFD (22021 otherwise), lone surrogates too (22P02 in jsonb).
 */
export function cleanText(text: string): string {
  const stored = text.isWellFormed() ? text : text.toWellFormed();
  return stored.includes('\0') ? stored.replaceAll('\0', '\uFFFD') : stored;
}

/** Levels of nesting; record data is an object with lists of objects. */
const deepestRecord = 8;

/**
 * A copy of JSON-like data with every text cleaned; `onChange` is called once for each text that changed.
 *
 * @throws RangeError when the data is nested more deeply than record data can be
 */
export function cleanData<T>(data: T, onChange: () => void): T {
  return cleanValue(data, onChange, deepestRecord) as T;
}

function cleanValue(value: unknown, onChange: () => void, depth: number): unknown {
  if (typeof value === 'string') {
    const clean = cleanText(value);
    if (clean !== value) onChange();
    return clean;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) throw new RangeError(`Record data is nested more than ${deepestRecord} levels deep.`);
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, onChange, depth - 1));
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, cleanValue(item, onChange, depth - 1)]));
}
