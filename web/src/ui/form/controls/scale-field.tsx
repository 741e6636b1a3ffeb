import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { useId, type ReactNode } from 'react';
import type { SelectItem } from './select-field.tsx';
import { useField } from '../use-field.ts';

interface ScaleFieldProps {
  items: readonly SelectItem[];
  hint?: ReactNode;
}

/** One step of a short scale, side by side; 'Not set' clears it. */
export function ScaleField({ items, hint }: ScaleFieldProps) {
  const { id, name, label, value, error, locked, set, leave } = useField<string>();
  const own = useId();
  const steps = [{ value: '', label: 'Not set' }, ...items];
  return (
    <div className="flex flex-col gap-1">
      <span id={`${own}-label`} className="text-sm font-medium">
        {label}
      </span>
      <RadioGroup
        name={name}
        value={value}
        onValueChange={set}
        onBlur={leave}
        readOnly={locked !== undefined}
        aria-labelledby={`${own}-label`}
        aria-describedby={`${own}-more`}
        aria-invalid={error === undefined ? undefined : true}
        className="flex h-9 rounded border border-line-strong bg-sunken p-0.5 aria-invalid:border-danger"
      >
        {steps.map((step) => (
          <Radio.Root
            key={step.value}
            // The error summary focuses the chosen step: a radio group takes the focus there.
            id={step.value === value ? id : undefined}
            value={step.value}
            aria-label={step.label}
            render={<div />}
            className="flex min-w-0 grow cursor-pointer items-center justify-center rounded px-2 text-sm text-muted transition-colors hover:text-text data-checked:bg-surface data-checked:font-medium data-checked:text-text data-checked:outline data-checked:outline-1 data-checked:outline-line-strong focus-visible:outline-2 focus-visible:outline-focus data-readonly:cursor-not-allowed"
          >
            {step.label}
          </Radio.Root>
        ))}
      </RadioGroup>
      <div id={`${own}-more`} className="text-sm text-muted empty:hidden">
        {hint}
        {error !== undefined && <p className="text-danger">{error}</p>}
      </div>
    </div>
  );
}
