import type { GraphColors } from '../../graph/colors.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { ApexChart } from './apex-chart.tsx';
import { thinLabels } from './thin-labels.ts';
import type { Bar, BarAxis } from '../bar-chart.ts';

interface ApexBarsProps {
  /** Name of the series in the tooltip. */
  label: string;
  bars: readonly Bar[];
  axis: BarAxis;
  /** Pixels. */
  height: number;
  colors: GraphColors;
}

/** Bars more than this many are drawn close together, without a gap that costs their width. */
const few = 12;

/** One series of bars, each with its own color. */
export function ApexBars({ label, bars, axis, height, colors }: ApexBarsProps) {
  return (
    <ApexChart
      type="bar"
      height={height}
      colors={colors}
      series={[{ name: label, data: bars.map(({ value }) => value) }]}
      options={{
        colors: bars.map(({ color }) => colors[color]),
        plotOptions: {
          bar: { distributed: true, borderRadius: 2, columnWidth: bars.length > few ? '80%' : '44px' },
        },
        xaxis: { categories: thinLabels(bars) },
        yaxis: {
          min: 0,
          max: axis.max,
          tickAmount: axis.max / axis.tick,
          labels: { formatter: (value) => formatNumber(Math.round(value)), style: { fontSize: '12px' } },
        },
        tooltip: {
          marker: { show: false },
          x: {
            formatter: (label, { dataPointIndex }: { dataPointIndex: number }) =>
              bars[dataPointIndex]?.name ?? String(label),
          },
          y: {
            formatter: (_value, { dataPointIndex }: { dataPointIndex: number }) =>
              bars[dataPointIndex]?.text ?? '',
          },
        },
      }}
    />
  );
}
