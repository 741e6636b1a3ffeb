import type { ReactNode } from 'react';
import type { Bar, BarColor } from './bar-chart.ts';
import { ChartCard, type ChartQuery } from './chart-card.tsx';
import { ChartTable } from './chart-table.tsx';
import { Swatch } from './swatch.tsx';

/** A range of the vertical axis with a meaning, such as High from 7 to 10. */
export interface ChartLevel {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly color: BarColor;
}

interface LevelChartCardProps {
  /** Name of the chart and its table. */
  label: string;
  /** Heading of the card. */
  title: ReactNode;
  /** Undefined while the data loads. */
  points: readonly Bar[] | undefined;
  /** All ranges of the axis, the highest first. */
  levels: readonly ChartLevel[];
  /** Heads of the table's two columns; the second one also names the line. */
  columns: readonly [string, string];
  query: ChartQuery;
  /** Shown instead of a chart when there are no points with a value. */
  empty?: ReactNode;
  /** Pixels of the drawing. */
  height?: number;
  /** Above chart and table. */
  lead?: ReactNode;
}

const load = async () => (await import('./apex/apex-levels.tsx')).ApexLevels;

/** A line over named ranges, each point in the color of its range, and a table of the same data. */
export function LevelChartCard({
  label,
  title,
  points,
  levels,
  columns,
  lead,
  ...card
}: LevelChartCardProps) {
  return (
    <ChartCard
      {...card}
      label={label}
      title={title}
      content={
        points && {
          load,
          props: { label: columns[1], points, levels },
          summary: points.map(({ name, label: short, text }) => `${name ?? short} ${text}`).join('; '),
          table: (
            <ChartTable
              label={label}
              columns={columns}
              rows={points
                .map(({ name, label: short, text }) => ({ name: name ?? short, texts: [text] }))
                .toReversed()}
            />
          ),
          legend: levels.map(({ from, to, label: text, color }) => ({
            swatch: <Swatch color={color} />,
            text: `${text} (${from} to ${to})`,
          })),
          lead,
        }
      }
    />
  );
}
