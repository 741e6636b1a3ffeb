import type { ApexOptions } from 'apexcharts';
import type { GraphColors } from '../../graph/colors.ts';
import type { Arc } from '../radial-chart.tsx';

/** Degrees at which every arc starts (spec 9, Overview). */
const start = 90;

/** Options of concentric arcs without animation. */
export const radialOptions = (arcs: readonly Arc[], colors: GraphColors): ApexOptions => ({
  colors: arcs.map(({ color }) => color),
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
});
