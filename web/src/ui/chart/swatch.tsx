import type { BarColor } from './bar-chart.ts';
import type { SeriesColor } from './series-chart.ts';

const fills = {
  red: 'bg-graph-red',
  amber: 'bg-graph-amber',
  green: 'bg-graph-low',
  accent: 'bg-accent',
  unknown: 'bg-graph-unknown',
} as const satisfies Record<BarColor, string>;

/** The color of bars in a legend. */
export function Swatch({ color }: { color: BarColor }) {
  return <span aria-hidden className={`size-2.5 rounded-full ${fills[color]}`} />;
}

const lines = {
  accent: 'text-focus',
  green: 'text-graph-low',
  muted: 'text-muted',
  red: 'text-graph-red',
  text: 'text-text',
} as const satisfies Record<SeriesColor, string>;

/** A piece of the line of a series, dashed as in the chart. */
export function LineSwatch({ color, dash = 0 }: { color: SeriesColor; dash?: number | undefined }) {
  return (
    <svg aria-hidden width={24} height={2} className={lines[color]}>
      <path d="M0 1h24" stroke="currentColor" strokeWidth={2} strokeDasharray={dash || undefined} />
    </svg>
  );
}

/** A bar of a series, hatched as in the chart. */
export function SeriesSwatch({ color, hatched }: { color: SeriesColor; hatched: boolean }) {
  return (
    <svg aria-hidden width={12} height={12} className={lines[color]}>
      {hatched ? (
        <path d="M0 12 12 0M0 6 6 0M6 12 12 6" stroke="currentColor" strokeWidth={2} />
      ) : (
        <rect width={12} height={12} rx={2} fill="currentColor" />
      )}
    </svg>
  );
}
