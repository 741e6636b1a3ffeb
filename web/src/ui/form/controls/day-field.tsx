import { Field as Base } from '@base-ui/react/field';
import { useCallback, useEffect, useRef, type ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import { inputStyle } from '../../input/input-style.ts';
import { useField } from '../use-field.ts';

const incompleteText = 'Enter a complete date.';

interface DayFieldProps {
  hint?: ReactNode;
  /** First day that may be chosen, '2026-11-21'. */
  min?: string | undefined;
  /** Reason why the field is disabled; shown instead of the hint. */
  disabledReason?: string | undefined;
}

/** A calendar day, '2026-11-21', in no time zone; '' when blank. A date that is incomplete or impossible is not saved. */
export function DayField({ hint, min, disabledReason }: DayFieldProps) {
  const { id, name, label, required, value, error, locked, set, leave, setPending } = useField<string>();
  const input = useRef<HTMLInputElement>(null);

  // The value of such a date is '', and the browser reports no change when it was '' before.
  const check = useCallback(() => {
    const isIncomplete = input.current?.validity.badInput === true;
    setPending({ blockedBy: isIncomplete ? incompleteText : undefined, isUnsaved: isIncomplete });
  }, [setPending]);
  useEffect(check, [check, value]);

  return (
    <Field label={label} hint={disabledReason ?? hint} error={error} required={required}>
      <Base.Control
        ref={input}
        id={id}
        name={name}
        type="date"
        value={value}
        onValueChange={set}
        onKeyUp={check}
        onBlur={() => {
          check();
          leave();
        }}
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
