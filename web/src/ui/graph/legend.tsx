import { formatCount } from '@riskboard/domain';
import type { Coloring } from './coloring.ts';
import { KindShape } from './kind-shape.tsx';
import { graphKinds, type GraphFill, type GraphKind } from './kinds.ts';
import type { GraphModel } from './model.ts';

const fills = {
  critical: 'text-graph-critical',
  high: 'text-graph-high',
  medium: 'text-graph-medium',
  low: 'text-graph-low',
  red: 'text-graph-red',
  amber: 'text-graph-amber',
  green: 'text-graph-low',
  unknown: 'text-graph-unknown',
} as const satisfies Record<GraphFill, string>;

interface LegendProps {
  model: GraphModel;
  hidden: ReadonlySet<GraphKind>;
  onHidden: (hidden: ReadonlySet<GraphKind>) => void;
}

/** Legend: one row for each kind in the graph, with its shape and its scale; the button shows or hides the kind. */
export function Legend({ model, hidden, onHidden }: LegendProps) {
  const { coloring } = model;
  const kinds = (Object.keys(graphKinds) as GraphKind[])
    .map((kind) => ({ kind, nodes: model.nodes.filter((node) => node.kind === kind) }))
    .filter(({ nodes }) => nodes.length > 0);

  function toggle(kind: GraphKind): void {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    onHidden(next);
  }

  return (
    <fieldset className="flex flex-col gap-y-1 border-t px-2 py-2 text-xs text-muted sm:grid sm:grid-cols-[auto_auto_1fr] sm:items-center sm:gap-x-4">
      <legend className="sr-only">Show</legend>
      {kinds.map(({ kind, nodes }) => (
        <div key={kind} className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:contents">
          <button
            type="button"
            aria-pressed={!hidden.has(kind)}
            onClick={() => toggle(kind)}
            className="flex h-7 items-center gap-1.5 rounded px-2 text-muted transition-colors hover:bg-hover hover:text-text aria-pressed:text-text not-aria-pressed:line-through"
          >
            <KindShape kind={kind} hollow={hidden.has(kind)} />
            {nodes.length === 1 ? graphKinds[kind].one : graphKinds[kind].many}
            <span className="text-muted tabular-nums">{formatCount(nodes.length)}</span>
          </button>
          <ScaleLine
            kind={kind}
            legend={coloring.legendOf(kind)}
            unknown={nodes.map(coloring.bandOf).find(({ fill }) => fill === 'unknown')?.label}
          />
        </div>
      ))}
    </fieldset>
  );
}

interface ScaleLineProps {
  kind: GraphKind;
  legend: ReturnType<Coloring['legendOf']>;
  /** Label of nodes whose score is unknown; absent when all are known. */
  unknown: string | undefined;
}

/** The scale of a kind: each of its colors with its meaning. */
function ScaleLine({ kind, legend: { title, entries }, unknown }: ScaleLineProps) {
  const { many } = graphKinds[kind];
  return (
    <>
      <span aria-hidden className="tabular-nums">
        {title}
      </span>
      <ul
        aria-label={`${many}: ${title}`}
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-2 pb-1 sm:px-0 sm:pb-0"
      >
        {entries.map(({ text, fill }) => (
          <li key={text} className="flex items-center gap-1.5 whitespace-nowrap">
            <Swatch kind={kind} fill={fill} />
            <span className="tabular-nums">{text}</span>
          </li>
        ))}
        {unknown !== undefined && (
          <li className="flex items-center gap-1.5 whitespace-nowrap">
            <Swatch kind={kind} fill="unknown" />
            {unknown}
          </li>
        )}
      </ul>
    </>
  );
}

/** A node's shape in one of its colors. */
const Swatch = ({ kind, fill }: { kind: GraphKind; fill: GraphFill }) => (
  <span className={`flex ${fills[fill]}`}>
    <KindShape kind={kind} outlined />
  </span>
);
