import { Progress as Base } from '@base-ui/react/progress';

export interface ProgressBarProps {
  /** Name for screen readers. */
  label: string;
  /** 0-1; null while unknown. */
  value: number | null;
  tone?: 'accent' | 'success' | 'danger';
}

const fills = { accent: 'bg-accent', success: 'bg-success', danger: 'bg-danger' } as const;

/** Progress bar. Show the number next to it where there is room. */
export function ProgressBar({ label, value, tone = 'accent' }: ProgressBarProps) {
  const percent = value === null ? null : Math.round(Math.min(Math.max(value, 0), 1) * 100);
  return (
    <Base.Root value={percent} aria-label={label} className="w-full">
      <Base.Track className="h-1.5 overflow-hidden rounded-full bg-line">
        <Base.Indicator
          className={`h-full rounded-full transition-[width] data-indeterminate:w-1/3 data-indeterminate:animate-pulse ${fills[tone]}`}
        />
      </Base.Track>
    </Base.Root>
  );
}
