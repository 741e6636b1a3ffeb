import { useState, type ReactNode } from 'react';
import { ChartCard, type ChartQuery } from './chart-card.tsx';
import { ChartTable } from './chart-table.tsx';
import { toggled, withoutHidden, type SeriesChart } from './series-chart.ts';
import { LineSwatch, SeriesSwatch } from './swatch.tsx';

interface SeriesChartCardProps {
  /** Title of the card, and name of the chart and its table. */
  label: string;
  /** Controls before the choice of chart and table. */
  controls?: ReactNode;
  /** Undefined while the data loads. */
  chart: SeriesChart | undefined;
  /** Head of the table's first column, such as 'Day'. */
  pointLabel: string;
  query: ChartQuery;
  /** Shown instead of a chart when there are not enough points. */
  empty?: ReactNode;
  /** Pixels of the drawing. */
  height?: number;
  /** Below chart and table. */
  note?: ReactNode;
}

const load = async () => (await import('./apex/apex-series.tsx')).ApexSeries;

/** Lines or bars of several series over the same points, and a table of the same data, newest first. */
export function SeriesChartCard({ label, chart, pointLabel, note, ...card }: SeriesChartCardProps) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const drawn = chart?.series.filter(({ tableOnly = false }) => !tableOnly) ?? [];
  const names = drawn.map(({ name }) => name);
  return (
    <ChartCard
      {...card}
      label={label}
      content={
        chart && {
          load,
          props: withoutHidden(chart, hidden),
          summary: summaryOf(chart),
          table: (
            <ChartTable
              label={label}
              columns={[pointLabel, ...chart.series.map(({ name }) => name)]}
              rows={chart.points
                .map(({ name }, at) => ({ name, texts: chart.series.map(({ texts }) => texts[at] ?? '') }))
                .toReversed()}
            />
          ),
          legend:
            drawn.length < 2
              ? []
              : drawn.map(({ name, color, dash }, at) => ({
                  swatch:
                    chart.kind === 'line' ? (
                      <LineSwatch color={color} dash={dash} />
                    ) : (
                      <SeriesSwatch color={color} hatched={at > 0} />
                    ),
                  text: name,
                  toggle: chart.axisOf && {
                    isShown: !hidden.includes(name),
                    onToggle: () => setHidden(toggled(hidden, name, names)),
                  },
                })),
          note,
        }
      }
    />
  );
}

/** The first and the last value of each series. */
function summaryOf({ points, series }: SeriesChart): string {
  const first = points[0]?.name ?? '';
  const last = points.at(-1)?.name ?? '';
  const texts = series.map(({ name, texts: all }) => `${name} ${all[0] ?? ''} to ${all.at(-1) ?? ''}`);
  return `${texts.join('; ')}, from ${first} to ${last}`;
}
