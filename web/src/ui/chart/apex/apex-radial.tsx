import { ApexChart } from './apex-chart.tsx';
import type { DrawingSize } from '../drawing.tsx';
import type { Arc } from '../radial-chart.tsx';
import { radialOptions } from './radial-options.ts';

interface ApexRadialProps extends DrawingSize {
  arcs: readonly Arc[];
}

/** Concentric arcs. */
export function ApexRadial({ arcs, height, colors }: ApexRadialProps) {
  return (
    <ApexChart
      type="radialBar"
      height={height}
      colors={colors}
      options={radialOptions(arcs, colors)}
      series={arcs.map(({ value }) => value)}
    />
  );
}
