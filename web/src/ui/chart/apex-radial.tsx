import type { ApexOptions } from 'apexcharts';
import { ApexChart } from './apex-chart.tsx';
import type { DrawingSize } from './drawing.tsx';
import { arcColors, type Arc } from './radial-chart.tsx';

interface ApexRadialProps extends DrawingSize {
  arcs: readonly Arc[];
}

/** Degrees at which every arc starts (spec 9, Overview). */
const start = 90;

/** Concentric arcs without animation. */
export function ApexRadial({ arcs, height, colors }: ApexRadialProps) {
  const options: ApexOptions = {
    colors: arcColors.map((color) => colors[color]),
    labels: arcs.map(({ name }) => name),
    stroke: { lineCap: 'round' },
    plotOptions: {
      // The library takes the end of a full turn of an arc from the options of pies.
      pie: { startAngle: start },
      radialBar: {
        startAngle: start,
        endAngle: start + 360,
        hollow: { size: '28%' },
        // It draws the track only if its angles add up to less than 360.
        track: { startAngle: 0.01, endAngle: 359.9, background: colors.dim, margin: 5 },
        dataLabels: { show: false },
      },
    },
    grid: { padding: { left: -14, right: -14, top: -14, bottom: -14 } },
    tooltip: { enabled: true, y: { formatter: (value) => `${value}%` } },
  };
  return (
    <ApexChart
      type="radialBar"
      height={height}
      colors={colors}
      options={options}
      series={arcs.map(({ value }) => value)}
    />
  );
}
