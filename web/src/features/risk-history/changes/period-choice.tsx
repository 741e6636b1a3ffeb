import { useState } from 'react';
import { inputStyle } from '../../../ui/input/input-style.ts';
import { Select } from '../../../ui/input/select.tsx';
import type { RiskHistoryProps } from '../risk-history-search.ts';
import { periodItems, standardStart, type Period } from './period.ts';

interface PeriodChoiceProps extends Pick<RiskHistoryProps, 'onSearch'> {
  period: Period;
  /** Last day that may be chosen. */
  today: string;
}

/** The two dates that are compared: a period that ends today, or two chosen days. */
export function PeriodChoice({ period, today, onSearch }: PeriodChoiceProps) {
  const { start, from, to } = period;
  function choose(next: Period['start']): void {
    if (next === 'custom') onSearch({ since: undefined, from, to });
    else onSearch({ since: next === standardStart ? undefined : next, from: undefined, to: undefined });
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select label="Period" hideLabel size="sm" items={periodItems} value={start} onChange={choose} />
      {start === 'custom' && (
        <>
          <DayInput label="From" day={from} most={today} onDay={(day) => onSearch({ from: day, to })} />
          <span aria-hidden className="text-muted">
            –
          </span>
          <DayInput label="To" day={to} most={today} onDay={(day) => onSearch({ from, to: day })} />
        </>
      )}
    </div>
  );
}

interface DayInputProps {
  label: string;
  day: string;
  most: string;
  onDay: (day: string) => void;
}

/** A day in UTC. An incomplete input keeps the last complete day. */
function DayInput({ label, day, most, onDay }: DayInputProps) {
  const [draft, setDraft] = useState(day);
  const [seen, setSeen] = useState(day);
  if (seen !== day) {
    setSeen(day);
    setDraft(day);
  }
  function type(next: string): void {
    setDraft(next);
    // Years are typed digit by digit.
    if (next >= '1970' && next !== day) onDay(next);
  }
  return (
    <input
      type="date"
      aria-label={label}
      value={draft}
      max={most}
      onChange={({ target }) => type(target.value)}
      onBlur={() => setDraft(day)}
      className={`${inputStyle} h-7! w-34! px-2! text-sm tabular-nums`}
    />
  );
}
