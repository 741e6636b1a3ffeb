import { lazily } from '@riskboard/domain';
import type { Sort } from './sort.ts';

const collator = lazily(() => new Intl.Collator('en-US', { numeric: true }));

/** Rows of a table that is sorted in the browser, by the value of the sorted column. */
export function sortRows<Row>(
  rows: readonly Row[],
  sort: Sort,
  keys: Record<string, (row: Row) => string | number>,
): Row[] {
  const down = sort.startsWith('-');
  const key = keys[down ? sort.slice(1) : sort];
  if (key === undefined) return [...rows];
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : collator().compare(String(a), String(b));
  return rows.toSorted((a, b) => (down ? -1 : 1) * compare(key(a), key(b)));
}
