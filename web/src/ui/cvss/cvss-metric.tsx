import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import type { CvssMetricLabels } from '@riskboard/domain';
import { useId } from 'react';
import { CvssWeight } from './cvss-weight.tsx';

interface CvssMetricProps {
  metric: CvssMetricLabels;
  /** Code of the chosen value; '' for none. */
  value: string;
  /** Version that the value was carried over from, such as 'v3.1'; undefined once the user has confirmed it. */
  carriedFrom?: string | undefined;
  /** Called with the chosen value, also when it is chosen again. */
  onChange: (value: string) => void;
}

/** One metric: its values, and the description of the chosen one. */
export function CvssMetric({
  metric: { code, name, values },
  value,
  carriedFrom,
  onChange,
}: CvssMetricProps) {
  const id = useId();
  const chosen = values.find((one) => one.code === value);
  const describedBy = [
    ...(carriedFrom === undefined ? [] : [`${id}-carried`]),
    ...(chosen === undefined ? [] : [`${id}-means`]),
  ];
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span id={`${id}-name`} className="flex items-baseline gap-2 text-sm font-medium">
        {name} <code className="font-mono text-xs font-normal text-muted">{code}</code>
      </span>
      {carriedFrom !== undefined && (
        <span id={`${id}-carried`} className="text-xs text-muted">
          Carried over from {carriedFrom}
        </span>
      )}
      <RadioGroup
        aria-labelledby={`${id}-name`}
        aria-describedby={describedBy.length === 0 ? undefined : describedBy.join(' ')}
        value={value}
        onValueChange={onChange}
        data-carried={carriedFrom === undefined ? undefined : ''}
        className="group/metric flex flex-wrap gap-1"
      >
        {values.map((one) => (
          <Radio.Root
            key={one.code}
            value={one.code}
            aria-label={one.name}
            // The group reports only changes, and choosing the carried value again confirms it.
            onClick={() => carriedFrom !== undefined && one.code === value && onChange(one.code)}
            render={<div />}
            className="flex min-h-7 cursor-pointer items-center rounded border border-line-strong bg-surface px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-text data-checked:border-accent data-checked:bg-accent-soft data-checked:font-medium data-checked:text-text data-checked:underline data-checked:decoration-accent data-checked:decoration-2 data-checked:underline-offset-4 group-data-carried/metric:data-checked:border-dashed group-data-carried/metric:data-checked:bg-surface"
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
