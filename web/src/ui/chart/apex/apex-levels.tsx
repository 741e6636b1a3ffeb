import { ApexChart } from './apex-chart.tsx';
import type { Bar } from '../bar-chart.ts';
import type { DrawingSize } from '../drawing.tsx';
import type { ChartLevel } from '../level-chart-card.tsx';
import { levelOptions } from './level-options.ts';

interface ApexLevelsProps extends DrawingSize {
  /** Name of the line in the tooltip. */
  label: string;
  points: readonly Bar[];
  levels: readonly ChartLevel[];
}

/** A line with gaps over named ranges. */
export function ApexLevels({ label, points, levels, height, colors }: ApexLevelsProps) {
  return (
    <ApexChart
      type="line"
      height={height}
      colors={colors}
      options={levelOptions(points, levels, colors)}
      series={[{ name: label, data: points.map(({ value }) => value) }]}
    />
  );
}
