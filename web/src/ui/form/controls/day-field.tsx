import { Field as Base } from '@base-ui/react/field';
import type { ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import { inputStyle } from '../../input/input-style.ts';
import { useField } from '../use-field.ts';

interface DayFieldProps {
  hint?: ReactNode;
  /** First day that may be chosen, '2026-11-21'. */
  min?: string | undefined;
  /** Reason why the field is disabled; shown instead of the hint. */
  disabledReason?: string | undefined;
}

/** A calendar day, '2026-11-21', in no time zone; '' when blank. */
export function DayField({ hint, min, disabledReason }: DayFieldProps) {
  const { id, name, label, required, value, error, locked, set, leave } = useField<string>();
  return (
    <Field label={label} hint={disabledReason ?? hint} error={error} required={required}>
      <Base.Control
        id={id}
        name={name}
        type="date"
        value={value}
        onValueChange={set}
        onBlur={leave}
        min={min}
        max="9999-12-31"
        aria-required={required || undefined}
        aria-disabled={disabledReason === undefined ? undefined : true}
        readOnly={locked !== undefined || disabledReason !== undefined}
        className={`${inputStyle} tabular-nums aria-disabled:bg-hover aria-disabled:text-muted`}
      />
    </Field>
  );
}
