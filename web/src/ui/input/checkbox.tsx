import { Checkbox as Base } from '@base-ui/react/checkbox';
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
    <Base.Root
      checked={checked === true}
      indeterminate={mixed}
      disabled={disabled}
      onCheckedChange={(next, { event }) =>
        onChange(next, { shiftKey: 'shiftKey' in event && event.shiftKey === true })
      }
      aria-label={hideLabel ? label : undefined}
      className="relative flex size-4 shrink-0 items-center justify-center rounded-[4px] border border-line-strong bg-surface transition-colors before:absolute before:-inset-1 data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50 data-indeterminate:border-accent data-indeterminate:bg-accent"
    >
      <Base.Indicator className="text-on-accent">
        <Icon aria-hidden size={12} strokeWidth={3} />
      </Base.Indicator>
    </Base.Root>
  );
  if (hideLabel) return box;
  return (
    <label className="inline-flex min-h-6 items-center gap-2 text-base">
      {box}
      {label}
    </label>
  );
}
