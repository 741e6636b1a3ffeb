import type { ApexOptions } from 'apexcharts';
import * as module from 'react-apexcharts';
import type { ComponentType } from 'react';
import type { GraphColors } from '../../graph/colors.ts';

type ChartComponent = ComponentType<{
  type: 'bar' | 'line' | 'radialBar';
  height: number;
  width: string;
  series: NonNullable<ApexOptions['series']>;
  options: ApexOptions;
}>;

/** The package is CommonJS: a bundler may wrap its default export once more. */
const unwrap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'default' in value ? unwrap(value.default) : value;
const Chart = unwrap(module) as ChartComponent;

interface ApexChartProps {
  type: 'bar' | 'line' | 'radialBar';
  /** Pixels. */
  height: number;
  colors: GraphColors;
  series: NonNullable<ApexOptions['series']>;
  /** Options of this chart; they replace those of all charts. */
  options: ApexOptions;
}

/** The only file that uses apexcharts (MIT up to 4.7.0; stack.md names the pins). Nothing moves, so motion needs no setting. */
export function ApexChart({ type, height, colors, series, options }: ApexChartProps) {
  const all: ApexOptions = {
    states: { hover: { filter: { type: 'none' } }, active: { filter: { type: 'none' } } },
    dataLabels: { enabled: false },
    legend: { show: false },
    grid: { borderColor: colors.dim, strokeDashArray: 0, padding: { left: 8, right: 8, top: 0, bottom: 0 } },
    ...options,
    chart: {
      type,
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
    xaxis: {
      axisBorder: { color: colors.dim },
      axisTicks: { show: false },
      tooltip: { enabled: false },
      crosshairs: { show: false },
      ...options.xaxis,
      labels: { rotate: 0, hideOverlappingLabels: true, style: { fontSize: '12px' } },
    },
  };
  return <Chart type={type} height={height} width="100%" series={series} options={all} />;
}

function nonceOption(): { nonce?: string } {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  return nonce === undefined || nonce === '' ? {} : { nonce };
}
