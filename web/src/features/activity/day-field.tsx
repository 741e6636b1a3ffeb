import { useId, useState } from 'react';
import { inputStyle } from '../../ui/input-style.ts';
import { day } from '../../lib/search-schema.ts';

interface DayFieldProps {
  label: string;
  /** 'YYYY-MM-DD'. */
  value: string | undefined;
  onChange: (day: string | undefined) => void;
  min?: string | undefined;
  max?: string | undefined;
}

/** A day of the calendar. It is told when it is whole, not while its year is being typed. */
export function DayField({ label, value = '', onChange, min, max }: DayFieldProps) {
  const id = useId();
  const [draft, setDraft] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setDraft(value);
  }
  return (
    <div className="inline-flex items-center gap-2">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={draft}
        min={min}
        max={max}
        onChange={({ target }) => {
          setDraft(target.value);
          const cleared = target.value === '' && !target.validity.badInput;
          if (cleared && value !== '') onChange(undefined);
          if (day(target.value) !== undefined) onChange(target.value);
        }}
        className={`${inputStyle} w-36! px-2! tabular-nums`}
      />
    </div>
  );
}
