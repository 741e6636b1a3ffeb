export interface ProgressBarProps {
  /** Name for screen readers. */
  label: string;
  /** 0-1; null while unknown. */
  value: number | null;
  tone?: 'accent' | 'success' | 'warning' | 'danger';
}

const fills = {
  accent: 'bg-accent',
  success: 'bg-success',
  warning: 'bg-bar-warning',
  danger: 'bg-danger',
} as const;

/** Progress bar. Show the number next to it where there is room. */
export function ProgressBar({ label, value, tone = 'accent' }: ProgressBarProps) {
  const percent = value === null ? null : Math.round(Math.min(Math.max(value, 0), 1) * 100);
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- parts of progress cannot be styled in every browser
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      aria-valuetext={percent === null ? 'indeterminate progress' : `${percent}%`}
      className="h-1.5 w-full forced-color-adjust-none overflow-hidden rounded-full bg-line"
    >
      <div
        style={{ width: percent === null ? undefined : `${percent}%` }}
        className={`h-full rounded-full transition-[width] ${percent === null ? 'w-1/3 animate-pulse' : ''} ${fills[tone]}`}
      />
    </div>
  );
}
