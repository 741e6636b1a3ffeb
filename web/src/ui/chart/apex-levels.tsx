import type { ApexOptions } from 'apexcharts';
import type { GraphColors } from '../graph/colors.ts';
import { ApexChart, thinLabels } from './apex-chart.tsx';
import type { Bar } from './bar-chart.ts';
import type { DrawingSize } from './drawing.tsx';
import type { ChartLevel } from './level-chart-card.tsx';

interface ApexLevelsProps extends DrawingSize {
  /** Name of the line in the tooltip. */
  label: string;
  points: readonly Bar[];
  levels: readonly ChartLevel[];
}

/** A line with gaps over named ranges; the vertical axis has a tick at every whole number. */
export function ApexLevels({ label, points, levels, height, colors }: ApexLevelsProps) {
  const top = Math.max(...levels.map(({ to }) => to));
  const options: ApexOptions = {
    colors: [colors.muted],
    stroke: { curve: 'straight', width: 2 },
    markers: {
      size: 0,
      hover: { sizeOffset: 2 },
      discrete: points.map(({ color }, dataPointIndex) => ({
        seriesIndex: 0,
        dataPointIndex,
        size: 5,
        fillColor: colors[color],
        strokeColor: colors.outline,
        shape: 'circle' as const,
      })),
    },
    grid: { borderColor: colors.dim, padding: { left: 8, right: 16, top: -16, bottom: 0 } },
    annotations: { yaxis: levels.map((level) => annotationOf(level, colors)) },
    xaxis: { categories: thinLabels(points) },
    yaxis: {
      min: 0,
      max: top,
      tickAmount: top,
      labels: { formatter: (value) => String(Math.round(value)), style: { fontSize: '12px' } },
    },
    tooltip: {
      marker: { show: false },
      x: {
        formatter: (text, { dataPointIndex }: { dataPointIndex: number }) =>
          points[dataPointIndex]?.name ?? String(text),
      },
      y: {
        formatter: (_value, { dataPointIndex }: { dataPointIndex: number }) =>
          points[dataPointIndex]?.text ?? '',
      },
    },
  };
  return (
    <ApexChart
      type="line"
      height={height}
      colors={colors}
      options={options}
      series={[{ name: label, data: points.map(({ value }) => value) }]}
    />
  );
}

/** The range of a level as a tinted area with its name, so that color is not the only information. */
const annotationOf = ({ from, to, label, color }: ChartLevel, colors: GraphColors): YAxisAnnotations => ({
  y: from,
  y2: to,
  fillColor: colors[color],
  opacity: 0.1,
  borderColor: 'transparent',
  label: {
    text: label,
    position: 'left',
    textAnchor: 'start',
    offsetX: 4,
    offsetY: 16,
    borderColor: 'transparent',
    style: { background: 'transparent', color: colors.muted, fontSize: '12px' },
  },
});
