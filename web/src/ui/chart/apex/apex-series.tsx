import type { ApexOptions } from 'apexcharts';
import type { GraphColors } from '../../graph/colors.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { ApexChart } from './apex-chart.tsx';
import { thinLabels } from './thin-labels.ts';
import { drawnPoints, isolatedPoints, type Series, type SeriesChart } from '../series-chart.ts';

interface ApexSeriesProps extends SeriesChart {
  /** Pixels. */
  height: number;
  colors: GraphColors;
}

/** Several series over the same points: lines with gaps, or bars side by side. */
export function ApexSeries({ kind, points, series: all, axis, height, colors }: ApexSeriesProps) {
  const series = all.filter(({ tableOnly = false }) => !tableOnly);
  const options: ApexOptions = {
    colors: series.map(({ color }) => colors[color]),
    ...(kind === 'line' ? lineOptions(series, colors) : barOptions(series)),
    grid: { borderColor: colors.dim, padding: { left: 8, right: 16, top: -16, bottom: 0 } },
    xaxis: { categories: thinLabels(points) },
    yaxis: {
      min: axis.min ?? 0,
      max: axis.max,
      tickAmount: (axis.max - (axis.min ?? 0)) / axis.tick,
      labels: {
        formatter: (value) => formatNumber(Math.round(value * 10) / 10),
        style: { fontSize: '12px' },
      },
    },
    tooltip: {
      shared: true,
      intersect: false,
      x: {
        formatter: (label, { dataPointIndex }: { dataPointIndex: number }) =>
          points[dataPointIndex]?.name ?? String(label),
      },
      y: {
        formatter: (
          _value,
          { seriesIndex, dataPointIndex }: { seriesIndex: number; dataPointIndex: number },
        ) => series[seriesIndex]?.texts[dataPointIndex] ?? '',
      },
    },
  };
  return (
    <ApexChart
      type={kind}
      height={height}
      colors={colors}
      options={options}
      series={series.map(({ name, values }) => ({ name, data: [...values] }))}
    />
  );
}

/** A line has no width where it has only one point between two gaps: the point has a dot. */
const lineOptions = (series: readonly Series[], colors: GraphColors): ApexOptions => ({
  stroke: { curve: 'straight', width: 2, dashArray: series.map(({ dash = 0 }) => dash) },
  markers: {
    size: 0,
    hover: { size: 4 },
    discrete: series.flatMap(({ values, color, dots }, seriesIndex) =>
      (dots ? drawnPoints(values) : isolatedPoints(values)).map((dataPointIndex) => ({
        seriesIndex,
        dataPointIndex,
        size: 3,
        fillColor: colors[color],
        strokeColor: colors[color],
        shape: 'circle' as const,
      })),
    ),
  },
});

const barOptions = (series: readonly Series[]): ApexOptions => ({
  plotOptions: { bar: { borderRadius: 2, columnWidth: '70%' } },
  // Color alone does not distinguish them: the second series is hatched.
  fill: {
    type: series.map((_, at) => (at === 0 ? 'solid' : 'pattern')),
    pattern: { style: series.map(() => 'slantedLines'), width: 5, height: 5, strokeWidth: 2 },
  },
});
