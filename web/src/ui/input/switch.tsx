import { Switch as Base } from '@base-ui/react/switch';
import { useId, type ReactNode } from 'react';
import { Tooltip } from '../popup/tooltip.tsx';

export interface SwitchProps {
  label: string;
  /** The label is for screen readers only; there is no description. */
  hideLabel?: boolean;
  /** Effect of the switch when it is on. */
  description?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Why it cannot be changed; the switch stays focusable and shows the reason. */
  disabledReason?: string | undefined;
}

/** A switch that takes effect at once. */
export function Switch({
  label,
  hideLabel = false,
  description,
  checked,
  onChange,
  disabledReason,
}: SwitchProps) {
  const id = useId();
  const refused = disabledReason !== undefined;
  const control = (
    <Base.Root
      checked={checked}
      onCheckedChange={onChange}
      readOnly={refused}
      aria-disabled={refused || undefined}
      aria-label={hideLabel ? label : undefined}
      aria-labelledby={hideLabel ? undefined : `${id}-label`}
      aria-describedby={hideLabel ? undefined : `${id}-more`}
      className="relative mt-0.5 flex h-5 w-9 shrink-0 cursor-pointer items-center rounded-full border border-line-strong bg-hover px-0.5 transition-colors before:absolute before:-inset-1 data-checked:border-accent data-checked:bg-accent data-readonly:cursor-not-allowed data-readonly:opacity-60 forced-colors:data-checked:bg-[SelectedItem] forced-colors:forced-color-adjust-none forced-colors:border-[ButtonText]"
    >
      <Base.Thumb className="size-3.5 rounded-full bg-line-strong transition-transform data-checked:translate-x-4 data-checked:bg-on-accent forced-colors:bg-[ButtonText] forced-colors:data-checked:bg-[SelectedItemText]" />
    </Base.Root>
  );
  if (hideLabel)
    return refused ? (
      <Tooltip content={disabledReason} isReason>
        {control}
      </Tooltip>
    ) : (
      control
    );
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <p id={`${id}-label`} className="text-base font-medium">
          {label}
        </p>
        <div id={`${id}-more`} className="text-sm text-muted">
          {description}
          {refused && <p>{disabledReason}</p>}
        </div>
      </div>
      {control}
    </div>
  );
}
