type Sparse<T> = { [K in keyof T]?: T[K] | undefined };

/** The object without its absent values: undefined, empty text and empty lists. */
export function compact<T extends object>(sparse: Sparse<T>): T {
  const values: Readonly<Record<string, unknown>> = sparse;
  const full: Partial<Record<string, unknown>> = {};
  for (const key of Object.keys(values)) {
    const value = values[key];
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    full[key] = value;
  }
  return full as T;
}

/** The distinct items of a list in their first order. */
export const distinct = (items: Iterable<string>): string[] => [...new Set(items)];

/** The terms of a vocabulary without those that differ from an earlier one only in case (mapping section 5). */
export function distinctTerms(terms: Iterable<string>): string[] {
  const byKey = new Map<string, string>();
  for (const term of terms) {
    const key = term.toLowerCase();
    if (!byKey.has(key)) byKey.set(key, term);
  }
  return [...byKey.values()];
}

/** The distinct texts joined, or undefined for an empty list. */
export const joined = (texts: readonly string[], separator = ', '): string | undefined =>
  texts.length === 0 ? undefined : distinct(texts).join(separator);
