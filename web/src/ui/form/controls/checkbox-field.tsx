import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Check } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useField } from '../use-field.ts';

/** Yes or no, with the label beside it. */
export function CheckboxField({ hint }: { hint?: ReactNode }) {
  const { id, name, label, value, error, locked, set, leave } = useField<boolean>();
  const own = useId();
  return (
    <div className="flex flex-col gap-1">
      <label className="inline-flex min-h-9 items-center gap-2 self-start text-base">
        <Base.Root
          id={id}
          name={name}
          checked={value}
          onCheckedChange={set}
          onBlur={leave}
          readOnly={locked !== undefined}
          aria-describedby={`${own}-more`}
          aria-invalid={error === undefined ? undefined : true}
          className="relative flex size-4 shrink-0 items-center justify-center rounded-[4px] border border-line-strong bg-surface transition-colors before:absolute before:-inset-1 data-checked:border-accent data-checked:bg-accent data-readonly:opacity-60"
        >
          <Base.Indicator className="text-on-accent">
            <Check aria-hidden size={12} strokeWidth={3} />
          </Base.Indicator>
        </Base.Root>
        {label}
      </label>
      <div id={`${own}-more`} className="text-sm text-muted empty:hidden">
        {hint}
        {error !== undefined && <p className="text-danger">{error}</p>}
      </div>
    </div>
  );
}
