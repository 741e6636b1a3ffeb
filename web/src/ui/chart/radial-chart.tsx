import { drawable, Drawing } from './drawing.tsx';

/** One arc. Names become HTML in the chart: they never contain what a person entered. */
export interface Arc {
  readonly name: string;
  /** Percent, 0-100. */
  readonly value: number;
  /** CSS color. */
  readonly color: string;
}

interface RadialChartProps {
  /** The chart in a sentence, for screen readers. */
  label: string;
  /** At most four, the outermost first. */
  arcs: readonly Arc[];
  /** Pixels of the square. */
  size?: number;
}

const load = async () => (await import('./apex/apex-radial.tsx')).ApexRadial;

/** Concentric arcs, each from 90 degrees, as long as its percent of 360 degrees. Show the same data as text beside it. */
export function RadialChart({ label, arcs, size = 220 }: RadialChartProps) {
  if (!drawable) return null;
  return (
    <div className="mx-auto" style={{ width: size, height: size }}>
      <Drawing name={label} height={size} load={load} props={{ arcs }} />
    </div>
  );
}
