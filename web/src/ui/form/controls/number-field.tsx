import { formatNumber } from '../../../lib/format/format.ts';
import { Field as Base } from '@base-ui/react/field';
import type { KeyboardEvent, ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import { inputStyle } from '../../input/input-style.ts';
import { numberOf, stepped } from '../../../lib/entity/number-text.ts';
import { useField } from '../use-field.ts';

interface NumberFieldProps {
  min: number;
  max: number;
  /** Step of the arrow keys. */
  step?: number | undefined;
  /** Unit of the value; follows the range in the hint. */
  unit?: string | undefined;
  hint?: ReactNode;
  /** Shown while the field is blank, such as the value that will be derived. */
  placeholder?: string | undefined;
  /** Label where it differs from the field's. */
  label?: string | undefined;
  /** Reason why the field is disabled; shown instead of the hint. */
  disabledReason?: string | undefined;
}

/** '0 to 1,000 USD'. */
const rangeText = ({ min, max, unit = '' }: Pick<NumberFieldProps, 'min' | 'max' | 'unit'>): string =>
  `${formatNumber(min)} to ${formatNumber(max)} ${unit}`.trim();

/**
 * A number, kept as the text that was typed: a native number field drops text that is not a number, and changes its
 * value when the wheel scrolls over it. The arrow keys change it by `step`.
 */
export function NumberField({
  min,
  max,
  step = 1,
  unit,
  hint,
  placeholder,
  label: ownLabel,
  disabledReason,
}: NumberFieldProps) {
  const { id, name, label, required, value, error, locked, set, leave } = useField<string>();
  const off = disabledReason !== undefined || locked !== undefined;
  const number = numberOf(value);

  function onKeyDown(event: KeyboardEvent) {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (direction === undefined || off) return;
    event.preventDefault();
    set(stepped(value, direction * step, { min, max }));
  }

  return (
    <Field
      label={ownLabel ?? label}
      hint={disabledReason ?? hint ?? rangeText({ min, max, unit })}
      error={disabledReason === undefined ? error : undefined}
      required={required}
    >
      <Base.Control
        id={id}
        name={name}
        value={value}
        onValueChange={set}
        onBlur={leave}
        onKeyDown={onKeyDown}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the doc comment says why
        role="spinbutton"
        inputMode="decimal"
        autoComplete="off"
        placeholder={placeholder}
        aria-required={required || undefined}
        aria-valuemin={min}
        aria-valuemax={max}
        aria-valuenow={typeof number === 'number' && !Number.isNaN(number) ? number : undefined}
        aria-disabled={disabledReason === undefined ? undefined : true}
        readOnly={off}
        className={`${inputStyle} tabular-nums aria-disabled:bg-hover aria-disabled:text-muted`}
      />
    </Field>
  );
}
