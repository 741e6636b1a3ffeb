import type { FieldFilter } from '../../lib/list/list-filter.ts';

/** What stands in the two boxes of a range. */
export interface RangeDraft {
  readonly min: string;
  readonly max: string;
}

type Bound = FieldFilter['min'];

/** A number or a day out of a box; undefined: nothing there. @throws RangeError for what is neither */
function boundOf(kind: 'number' | 'time', text: string): Bound {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (kind === 'time') {
    if (/^\d{4}-\d{2}-\d{2}$/u.test(trimmed) && trimmed >= '1970') return trimmed;
    throw new RangeError('Enter a date.');
  }
  const number = Number(trimmed);
  if (!Number.isFinite(number)) throw new RangeError('Enter a number.');
  return number;
}

/** The range that is meant, or what is wrong with it. */
export function rangeOf(
  kind: 'number' | 'time',
  { min, max }: RangeDraft,
): { min: Bound; max: Bound } | { error: string } {
  try {
    const range = { min: boundOf(kind, min), max: boundOf(kind, max) };
    if (range.min !== undefined && range.max !== undefined && range.min > range.max) {
      return { error: kind === 'time' ? 'The first day is after the last.' : 'The least is above the most.' };
    }
    return range;
  } catch (error) {
    if (error instanceof RangeError) return { error: error.message };
    throw error;
  }
}

/** A bound as its box shows it: of a moment, the day it lies in. */
export function draftOf(bound: Bound): string {
  if (bound === undefined) return '';
  if (typeof bound === 'number' || !bound.includes('T')) return String(bound);
  return dayOf(bound);
}

/** The day of a moment where the reader is, as a date box takes it. */
export function dayOf(iso: string): string {
  const date = new Date(iso);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
