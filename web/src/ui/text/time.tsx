import { formatDay, formatFullDay } from '../../lib/format/day.ts';
import {
  formatDate,
  formatFileDate,
  formatFullDate,
  formatRelative,
  formatUtc,
} from '../../lib/format/format.ts';
import { Empty } from './empty.tsx';
import { Tooltip } from '../popup/tooltip.tsx';
import { useNow } from '../../lib/hooks/use-now.ts';

interface TimeProps {
  /** ISO 8601; null shows N/A. */
  value: string | null;
  /**
   * What the timestamp belongs to: an event such as a job or a sign-in, `relative` ('5 minutes ago'); a file, `absolute`
   * ('Nov 21, 2026, 09:05 AM', spec 9); a record, `day` ('Nov 21, 2026'); an object of a report, `utc` ('Nov 21, 2026,
   * 9:05 AM UTC'): its day is the one that is written in the report, as for its other dates.
   */
  form?: 'relative' | 'absolute' | 'day' | 'utc';
}

const formats = {
  relative: formatRelative,
  absolute: formatFileDate,
  day: formatDate,
  utc: formatUtc,
} as const;

/** A timestamp, except `utc` in the user's time zone, with the full date on hover and focus. */
export function Time({ value, form = 'relative' }: TimeProps) {
  const now = useNow();
  if (value === null) return <Empty />;
  return (
    <Tooltip content={formatFullDate(value)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the whole date must be reachable by keyboard */}
      <time dateTime={value} tabIndex={0} className="whitespace-nowrap tabular-nums">
        {formats[form](value, now)}
      </time>
    </Tooltip>
  );
}

/** A calendar day, 'YYYY-MM-DD', the same in every time zone; null shows N/A. */
export function Day({ value }: { value: string | null }) {
  if (value === null) return <Empty />;
  return (
    <Tooltip content={formatFullDay(value)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the weekday must be reachable by keyboard */}
      <time dateTime={value.slice(0, 10)} tabIndex={0} className="whitespace-nowrap tabular-nums">
        {formatDay(value)}
      </time>
    </Tooltip>
  );
}
