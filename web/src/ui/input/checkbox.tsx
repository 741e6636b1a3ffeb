import { Check, Minus } from 'lucide-react';

export interface CheckboxProps {
  label: string;
  /** The label is for screen readers only. */
  hideLabel?: boolean;
  /** `mixed`: some are checked. */
  checked: boolean | 'mixed';
  /** The event has the state of Shift, for selecting ranges. */
  onChange: (checked: boolean, event: { shiftKey: boolean }) => void;
  disabled?: boolean;
}

/** A checkbox with two or three states. The box is 16 px, its target 24 px (WCAG 2.5.8). */
export function Checkbox({ label, hideLabel = false, checked, onChange, disabled = false }: CheckboxProps) {
  const mixed = checked === 'mixed';
  const Icon = mixed ? Minus : Check;
  const box = (
    <span className="relative flex size-4 shrink-0">
      {/* Transparent and larger than the box that is drawn: the target. */}
      <input
        ref={(input) => {
          // No attribute exists for this state.
          if (input !== null) input.indeterminate = mixed;
        }}
        type="checkbox"
        checked={checked === true}
        disabled={disabled}
        onChange={({ currentTarget, nativeEvent }) =>
          onChange(currentTarget.checked, {
            shiftKey: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
          })
        }
        aria-label={hideLabel ? label : undefined}
        className="peer absolute -inset-1 m-0 size-6 opacity-0"
      />
      <span className="pointer-events-none flex size-4 items-center justify-center rounded-[4px] border border-line-strong bg-surface text-on-accent transition-colors peer-checked:border-accent peer-checked:bg-accent peer-indeterminate:border-accent peer-indeterminate:bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus peer-disabled:opacity-50">
        {checked !== false && <Icon aria-hidden size={12} strokeWidth={3} />}
      </span>
    </span>
  );
  if (hideLabel) return box;
  return (
    <label className="inline-flex min-h-6 items-center gap-2 text-base wrap-anywhere">
      {box}
      {label}
    </label>
  );
}
