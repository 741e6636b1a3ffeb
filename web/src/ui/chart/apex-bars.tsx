import type { ApexOptions } from 'apexcharts';
import * as module from 'react-apexcharts';
import type { ComponentType } from 'react';
import type { GraphColors } from '../graph/colors.ts';
import type { Bar, BarAxis } from './bar-chart.ts';

type ChartComponent = ComponentType<{
  type: 'bar';
  height: number;
  width: string;
  series: NonNullable<ApexOptions['series']>;
  options: ApexOptions;
}>;

/** The package is CommonJS: a bundler may wrap its default export once more. */
const unwrap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'default' in value ? unwrap(value.default) : value;
const Chart = unwrap(module) as ChartComponent;

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

/** Most labels below the bars: more of them overlap on a narrow screen. */
const mostLabels = 6;

/** The only file that uses apexcharts (MIT up to 4.7.0; stack.md names the pins). */
export function ApexBars({ label, bars, axis, height, colors }: ApexBarsProps) {
  const options: ApexOptions = {
    chart: {
      type: 'bar',
      // Its style sheet is inserted by script: the content security policy requires the nonce of the page.
      ...nonceOption(),
      background: 'transparent',
      fontFamily: 'inherit',
      foreColor: colors.muted,
      toolbar: { show: false },
      zoom: { enabled: false },
      selection: { enabled: false },
      animations: { enabled: false },
      parentHeightOffset: 0,
    },
    colors: bars.map(({ color }) => colors[color]),
    plotOptions: {
      bar: { distributed: true, borderRadius: 2, columnWidth: bars.length > few ? '80%' : '44px' },
    },
    states: { hover: { filter: { type: 'none' } }, active: { filter: { type: 'none' } } },
    dataLabels: { enabled: false },
    legend: { show: false },
    grid: { borderColor: colors.dim, strokeDashArray: 0, padding: { left: 8, right: 8, top: 0, bottom: 0 } },
    xaxis: {
      categories: bars.map((bar, n) => (n % Math.ceil(bars.length / mostLabels) === 0 ? bar.label : '')),
      axisBorder: { color: colors.dim },
      axisTicks: { show: false },
      tooltip: { enabled: false },
      crosshairs: { show: false },
      labels: { rotate: 0, hideOverlappingLabels: true, style: { fontSize: '12px' } },
    },
    yaxis: {
      min: 0,
      max: axis.max,
      tickAmount: axis.max / axis.tick,
      labels: { formatter: (value) => String(Math.round(value)), style: { fontSize: '12px' } },
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
  };
  const series = [{ name: label, data: bars.map(({ value }) => value) }];
  return <Chart type="bar" height={height} width="100%" series={series} options={options} />;
}

function nonceOption(): { nonce?: string } {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  return nonce === undefined || nonce === '' ? {} : { nonce };
}
