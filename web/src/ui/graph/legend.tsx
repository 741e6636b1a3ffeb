import { formatCount } from '../../lib/format/format.ts';
import { KindShape } from './kind-shape.tsx';
import { bandLabels, graphKinds, type GraphBand, type GraphKind } from './kinds.ts';
import type { GraphModel } from './model.ts';

const swatches = {
  critical: 'bg-graph-critical',
  high: 'bg-graph-high',
  medium: 'bg-graph-medium',
  low: 'bg-graph-low',
  unknown: 'bg-graph-unknown',
} as const satisfies Record<GraphBand, string>;

/** Minimum CVSS of each color (spec 4, States). */
const ranges = { critical: '9–10', high: '7–8.9', medium: '4–6.9', low: '0–3.9', unknown: '' } as const;

interface LegendProps {
  model: GraphModel;
  hidden: ReadonlySet<GraphKind>;
  onHidden: (hidden: ReadonlySet<GraphKind>) => void;
}

/** Legend of shapes and colors; a shape shows or hides its kind. */
export function Legend({ model, hidden, onHidden }: LegendProps) {
  const kinds = (Object.keys(graphKinds) as GraphKind[])
    .map((kind) => ({ kind, count: model.nodes.filter((node) => node.kind === kind).length }))
    .filter(({ count }) => count > 0);

  function toggle(kind: GraphKind): void {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    onHidden(next);
  }

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t px-4 py-2 text-xs text-muted">
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">Show</legend>
        {kinds.map(({ kind, count }) => (
          <button
            key={kind}
            type="button"
            aria-pressed={!hidden.has(kind)}
            onClick={() => toggle(kind)}
            className="flex h-7 items-center gap-1.5 rounded px-2 text-muted transition-colors hover:bg-hover hover:text-text aria-pressed:text-text not-aria-pressed:line-through"
          >
            <KindShape kind={kind} hollow={hidden.has(kind)} />
            {count === 1 ? graphKinds[kind].one : graphKinds[kind].many}
            <span className="text-muted tabular-nums">{formatCount(count)}</span>
          </button>
        ))}
      </fieldset>
      <ul aria-label="Colors" className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {(Object.keys(bandLabels) as GraphBand[]).map((band) => (
          <li key={band} className="flex items-center gap-1.5">
            <span
              aria-hidden
              className={`size-2.5 rounded-full border border-graph-outline ${swatches[band]}`}
            />
            {bandLabels[band]}
            {ranges[band] !== '' && <span className="tabular-nums">{ranges[band]}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
