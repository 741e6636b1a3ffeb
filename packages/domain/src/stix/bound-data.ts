import { shortened } from './clean-text.ts';
import type { MappedRecord } from './record.ts';
import type { Warn } from './warning.ts';

/** UTF-16 units of a text of a record, and of all entries of a list. */
const longestText = 65_536;
/** Entries of a list of a record. */
const mostEntries = 1000;

function lengthOf(entry: unknown): number {
  if (typeof entry === 'string') return entry.length;
  let length = 0;
  for (const key in entry as object) {
    const value: unknown = (entry as Record<string, unknown>)[key];
    if (typeof value === 'string') length += value.length;
  }
  return length;
}

/** How many entries of a list fit: texts, or objects with texts. */
function fitting(list: readonly unknown[]): number {
  let length = 0;
  for (let at = 0; at < list.length; at += 1) {
    length += lengthOf(list[at]);
    if (at === mostEntries || length > longestText) return at;
  }
  return list.length;
}

/**
 * Cuts the longest texts of a record and leaves out the last entries of its longest lists, so that pages and exports of
 * many records stay small: an object of a report may have 32 MiB, all of which are in its file.
 */
export function boundData(data: MappedRecord['data'], warn: Warn): void {
  const fields = data as Record<string, unknown>;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'string' && value.length > longestText) {
      fields[name] = shortened(value, longestText - 1);
      warn('text-too-long');
    } else if (Array.isArray(value)) {
      const end = fitting(value);
      if (end === value.length) continue;
      fields[name] = value.slice(0, end);
      warn('list-too-long');
    }
  }
}
