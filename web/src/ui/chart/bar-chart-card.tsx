import type { ReactNode } from 'react';
import type { Bar, BarAxis, BarColor } from './bar-chart.ts';
import { ChartCard, type ChartQuery } from './chart-card.tsx';
import { ChartTable } from './chart-table.tsx';
import { Swatch } from './swatch.tsx';

interface BarChartCardProps {
  /** Title of the card, and name of the chart and its table. */
  label: string;
  /** Controls before the choice of chart and table. */
  controls?: ReactNode;
  /** Undefined while the data loads. */
  bars: readonly Bar[] | undefined;
  axis: BarAxis;
  /** Heads of the table's two columns; the second one also names the series. */
  columns: readonly [string, string];
  query: ChartQuery;
  /** Shown instead of a chart when there are not enough bars. */
  empty?: ReactNode;
  /** What the colors mean. */
  legend?: readonly { readonly color: BarColor; readonly text: string }[];
  /** Pixels of the drawing. */
  height?: number;
  /** Below chart and table. */
  note?: ReactNode;
}

const load = async () => (await import('./apex/apex-bars.tsx')).ApexBars;

const noLegend: NonNullable<BarChartCardProps['legend']> = [];

/** A bar chart with one series, and a table of the same data. */
export function BarChartCard({
  label,
  bars,
  axis,
  columns,
  legend = noLegend,
  note,
  ...card
}: BarChartCardProps) {
  return (
    <ChartCard
      {...card}
      label={label}
      content={
        bars && {
          load,
          props: { label: columns[1], bars, axis },
          summary: summaryOf(bars),
          table: (
            <ChartTable
              label={label}
              columns={columns}
              rows={bars.map((bar) => ({ name: bar.name ?? bar.label, texts: [bar.text] }))}
            />
          ),
          legend: legend.map(({ color, text }) => ({ swatch: <Swatch color={color} />, text })),
          note,
        }
      }
    />
  );
}

/** The chart in a sentence: every bar while they are few, else the first and the last. */
function summaryOf(bars: readonly Bar[]): string {
  const shown = bars.length > 8 ? [bars[0], bars.at(-1)] : bars;
  const text = shown
    .flatMap((bar) => (bar === undefined ? [] : [`${bar.name ?? bar.label} ${bar.text}`]))
    .join('; ');
  return bars.length > 8 ? `${bars.length} bars, from ${text.replace('; ', ' to ')}` : text;
}
