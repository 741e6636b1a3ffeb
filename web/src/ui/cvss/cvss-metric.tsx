import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import type { CvssMetricLabels } from '@riskboard/domain';
import { useId } from 'react';
import { CvssWeight } from './cvss-weight.tsx';

interface CvssMetricProps {
  metric: CvssMetricLabels;
  /** Code of the chosen value; '' for none. */
  value: string;
  onChange: (value: string) => void;
}

/** One metric: its values, and the description of the chosen one. */
export function CvssMetric({ metric: { code, name, values }, value, onChange }: CvssMetricProps) {
  const id = useId();
  const chosen = values.find((one) => one.code === value);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span id={`${id}-name`} className="flex items-baseline gap-2 text-sm font-medium">
        {name} <code className="font-mono text-xs font-normal text-muted">{code}</code>
      </span>
      <RadioGroup
        aria-labelledby={`${id}-name`}
        aria-describedby={chosen === undefined ? undefined : `${id}-means`}
        value={value}
        onValueChange={onChange}
        className="flex flex-wrap gap-1"
      >
        {values.map((one) => (
          <Radio.Root
            key={one.code}
            value={one.code}
            aria-label={one.name}
            render={<div />}
            className="flex min-h-7 cursor-pointer items-center rounded border border-line-strong/60 bg-surface px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-text data-checked:border-accent data-checked:bg-accent-soft data-checked:font-medium data-checked:text-text data-checked:underline data-checked:decoration-accent data-checked:decoration-2 data-checked:underline-offset-4"
          >
            {one.name}
          </Radio.Root>
        ))}
      </RadioGroup>
      <p id={`${id}-means`} className="flex min-h-4 items-center gap-2 text-xs text-muted">
        {chosen !== undefined && (
          <>
            <CvssWeight weight={chosen.weight} />
            {chosen.means}
          </>
        )}
      </p>
    </div>
  );
}
