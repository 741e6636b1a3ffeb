import { notAvailable, type ListField } from '@riskboard/contract';
import { formatTotal } from '@riskboard/domain';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { formatDay } from '../../../lib/format/day.ts';
import { numberOf } from '../../../lib/entity/number-text.ts';
import { formatDate, formatNumber } from '../../../lib/format/format.ts';
import { type FieldFilter, utcDayOf } from '../../../lib/list/list-filter.ts';
import { Checkbox } from '../../input/checkbox.tsx';
import { inputStyle } from '../../input/input-style.ts';
import type { ListControl } from '../list-control.ts';
import { useFacet, type Facet } from './use-facet.ts';

interface RangeFilterProps {
  list: ListControl;
  name: string;
  field: ListField & { kind: 'number' | 'day' | 'time' };
  filter: FieldFilter;
  onFilter: (filter: FieldFilter) => void;
  /** Offers rows without a value; false when the list of values already does. */
  boxOfEmpty: boolean;
}

const ends = {
  number: { min: 'Min', max: 'Max' },
  day: { min: 'From', max: 'Until' },
  time: { min: 'From', max: 'Until' },
} as const;

/** 'Values from 0 to 10.'; undefined when no row has a value. */
function hintOf(kind: 'number' | 'day' | 'time', { min, max }: Partial<Facet> = {}): string {
  if (min === null || min === undefined || max === null || max === undefined) return '';
  const shown = (bound: string | number): string => {
    if (kind === 'number') return formatNumber(Number(bound));
    return kind === 'day' ? formatDay(String(bound)) : formatDate(String(bound));
  };
  return `Values from ${shown(min)} to ${shown(max)}.`;
}

/** Minimum and maximum, with the range of existing values as a hint, and a checkbox for rows without a value. */
export function RangeFilter({ list, name, field, filter, onFilter, boxOfEmpty }: RangeFilterProps) {
  const id = useId();
  const { kind } = field;
  const { facet } = useFacet(list, name);
  const [draft, setDraft] = useState<RangeDraft>({ min: draftOf(filter.min), max: draftOf(filter.max) });
  const range = rangeOf(kind, draft);
  const error = 'error' in range ? range.error : undefined;

  // A range that was changed elsewhere, such as by its chip, replaces the input.
  const [seen, setSeen] = useState(filter);
  if (seen.min !== filter.min || seen.max !== filter.max) {
    setSeen(filter);
    const same = !('error' in range) && range.min === filter.min && range.max === filter.max;
    if (!same) setDraft({ min: draftOf(filter.min), max: draftOf(filter.max) });
  }

  // Debounced, because each step in a date input is a complete date.
  function publish(): void {
    if ('error' in range || (range.min === filter.min && range.max === filter.max)) return;
    if (draft.min === draftOf(filter.min) && draft.max === draftOf(filter.max)) return;
    onFilter({ ...filter, ...range });
  }
  const publishLater = useEffectEvent((typed: RangeDraft) => {
    if (typed === draft) publish();
  });
  useEffect(() => {
    const timer = setTimeout(() => publishLater(draft), 350);
    return () => clearTimeout(timer);
  }, [draft]);

  // The filter is also applied when it is closed during the delay, but not when its page was left: that would lead back.
  const router = useRouter();
  const [page] = useState(router.latestLocation.pathname);
  const publishAtEnd = useEffectEvent(() => {
    if (router.latestLocation.pathname === page) publish();
  });
  useEffect(() => () => publishAtEnd(), []);

  const hint = hintOf(kind, facet);
  const empty = facet?.values.find(({ value }) => value === notAvailable);
  const chosen = filter.values.includes(notAvailable);
  /** Reads an input. A day that is incomplete or impossible has the value ''. */
  function read(end: End, { value, validity }: HTMLInputElement): void {
    const others = draft.incomplete?.filter((other) => other !== end) ?? [];
    const incomplete = validity.badInput ? [...others, end] : others;
    const isSame = value === draft[end] && incomplete.length === (draft.incomplete?.length ?? 0);
    if (!isSame) setDraft({ ...draft, [end]: value, incomplete });
  }
  const limits = (['min', 'max'] as const).map((end) => {
    const bound = facet?.[end];
    return bound === null || bound === undefined ? undefined : String(bound);
  });
  return (
    <div className="flex flex-col gap-2 px-3 pt-1 pb-3">
      <div className="grid grid-cols-2 gap-2">
        {(['min', 'max'] as const).map((end, index) => (
          <label key={end} className="flex flex-col gap-1 text-sm text-muted">
            {ends[kind][end]}
            <input
              type={kind !== 'number' ? 'date' : 'text'}
              inputMode={kind !== 'number' ? undefined : 'decimal'}
              placeholder={kind !== 'number' ? undefined : limits[index]}
              {...(kind !== 'number' && limits[index] !== undefined && { [end]: draftOf(limits[index]) })}
              value={draft[end]}
              aria-invalid={error !== undefined}
              aria-describedby={`${id}-hint`}
              onChange={(event) => read(end, event.currentTarget)}
              onKeyUp={(event) => read(end, event.currentTarget)}
              onBlur={(event) => read(end, event.currentTarget)}
              onKeyDown={(event) => event.key === 'Enter' && publish()}
              className={`${inputStyle} h-8 px-2 text-sm tabular-nums aria-invalid:border-danger`}
            />
          </label>
        ))}
      </div>
      <p id={`${id}-hint`} className={`text-xs ${error === undefined ? 'text-muted' : 'text-danger'}`}>
        {error ?? hint}
      </p>
      {boxOfEmpty && (empty !== undefined || chosen) && (
        <div className="flex items-center justify-between gap-3">
          <Checkbox
            label={notAvailable}
            checked={chosen}
            onChange={(checked) => {
              const others = filter.values.filter((value) => value !== notAvailable);
              onFilter({ ...filter, values: checked ? [...others, notAvailable] : others });
            }}
          />
          {empty !== undefined && (
            <span className="text-sm text-muted tabular-nums">
              {facet?.isCapped && empty.count === 0 ? '' : formatTotal(empty.count, facet?.isCapped)}
            </span>
          )}
        </div>
      )}
    </div>
  );
}

type End = 'min' | 'max';

/** Text of the two inputs of a range. */
interface RangeDraft {
  readonly min: string;
  readonly max: string;
  /** Inputs that show a part of a day, or an impossible one; their text is ''. */
  readonly incomplete?: readonly End[];
}

type Bound = FieldFilter['min'];

/**
 * Parses a number or a day; undefined for an empty input.
 * @throws RangeError for any other text
 */
function boundOf(kind: 'number' | 'day' | 'time', text: string): Bound {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (kind !== 'number') {
    if (/^\d{4}-\d{2}-\d{2}$/u.test(trimmed) && trimmed >= '1970') return trimmed;
    throw new RangeError('Enter a date.');
  }
  const number = numberOf(trimmed);
  if (number === '' || !Number.isFinite(number)) throw new RangeError('Enter a number.');
  return number;
}

/** The parsed range, or its error message. */
export function rangeOf(
  kind: 'number' | 'day' | 'time',
  { min, max, incomplete = [] }: RangeDraft,
): { min: Bound; max: Bound } | { error: string } {
  if (incomplete.length > 0) return { error: 'Enter a date.' };
  try {
    const range = { min: boundOf(kind, min), max: boundOf(kind, max) };
    if (range.min !== undefined && range.max !== undefined && range.min > range.max) {
      return {
        error: kind !== 'number' ? 'From must not be after Until.' : 'Min must not exceed max.',
      };
    }
    return range;
  } catch (error) {
    if (error instanceof RangeError) return { error: error.message };
    throw error;
  }
}

/** A limit as shown in its input; a timestamp becomes its local day, or its day in UTC where it is a limit of that. */
export function draftOf(bound: Bound): string {
  if (bound === undefined) return '';
  if (typeof bound === 'number' || !bound.includes('T')) return String(bound);
  return utcDayOf(bound) ?? dayOf(bound);
}

/** The local day of a timestamp, in the format of a date input. */
function dayOf(iso: string): string {
  const date = new Date(iso);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
