import type { BarColor } from './bar-chart.ts';

const fills = {
  red: 'bg-graph-red',
  amber: 'bg-graph-amber',
  green: 'bg-graph-low',
  accent: 'bg-accent',
  unknown: 'bg-graph-unknown',
} as const satisfies Record<BarColor, string>;

const strokes = {
  red: 'border-graph-red',
  amber: 'border-graph-amber',
  green: 'border-graph-low',
  accent: 'border-focus',
  unknown: 'border-graph-unknown',
} as const satisfies Record<BarColor, string>;

/** The color of bars in a legend. */
export function Swatch({ color }: { color: BarColor }) {
  return <span aria-hidden className={`size-2.5 rounded-full ${fills[color]}`} />;
}

/** The color of a line in a legend, dashed as the line. */
export function LineSwatch({ color, dashed }: { color: BarColor; dashed: boolean }) {
  return (
    <span
      aria-hidden
      className={`w-5 border-t-2 ${dashed ? 'border-dashed' : 'border-solid'} ${strokes[color]}`}
    />
  );
}
