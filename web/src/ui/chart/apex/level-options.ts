import type { ApexOptions } from 'apexcharts';
import type { GraphColors } from '../../graph/colors.ts';
import { thinLabels } from './thin-labels.ts';
import type { Bar } from '../bar-chart.ts';
import type { ChartLevel } from '../level-chart-card.tsx';

/** Pixels to the right of the points for the names of the levels, which the line would cover. */
const labelRoom = 60;

/** Options of a line with gaps over named ranges; the vertical axis has a tick at every whole number. */
export function levelOptions(
  points: readonly Bar[],
  levels: readonly ChartLevel[],
  colors: GraphColors,
): ApexOptions {
  const top = Math.max(...levels.map(({ to }) => to));
  return {
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
    grid: { borderColor: colors.dim, padding: { left: 8, right: labelRoom, top: -16, bottom: 0 } },
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
}

/** The range of a level as a tinted area with its name to the right of it, so that color is not the only information. */
const annotationOf = ({ from, to, label, color }: ChartLevel, colors: GraphColors): YAxisAnnotations => ({
  y: from,
  y2: to,
  fillColor: colors[color],
  opacity: 0.1,
  borderColor: 'transparent',
  label: {
    text: label,
    position: 'right',
    textAnchor: 'start',
    offsetX: 8,
    offsetY: 16,
    borderColor: 'transparent',
    style: { background: 'transparent', color: colors.muted, fontSize: '12px' },
  },
});
