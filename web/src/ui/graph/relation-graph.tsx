import { Waypoints } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Notice } from '../feedback/notice.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { Segmented } from '../input/segmented.tsx';
import { Card } from '../layout/card.tsx';
import { lazyPart } from '../layout/lazy-part.tsx';
import { GraphTables } from './graph-tables.tsx';
import type { GraphNode } from './kinds.ts';
import type { ColoringName } from './coloring.ts';
import { modelOf, type GraphData } from './model.ts';

const GraphCanvas = lazyPart(
  async () => (await import('./graph-canvas.tsx')).GraphCanvas,
  <Waiting label="Loading…" />,
);

export type { GraphNode } from './kinds.ts';

export interface RelationGraphProps {
  /** Title of the card: 'Asset Graphical Modelling'. */
  label: string;
  /** Part of React Query's result. */
  query: { readonly data: GraphData | undefined; readonly error: unknown; refetch: () => unknown };
  /** Opens the page of a record. */
  onOpen: (node: GraphNode) => void;
  /** Whether a record has a page; absent: all have. */
  canOpen?: (node: GraphNode) => boolean;
  /** Additional details of a record for its panel, such as its status. */
  details?: (node: GraphNode) => ReactNode;
  /** Hint for the empty state. */
  emptyHint: { title?: string; description: ReactNode; action?: ReactNode };
  /** Nodes without which the empty state is shown; by default two, the record and another one. */
  least?: number;
  coloring?: ColoringName;
  /** Ids of the nodes from the center to a node, highlighted while it is selected; absent: its neighbors are. */
  pathOf?: (node: GraphNode) => readonly string[] | undefined;
  /** Which nodes a graph that leaves some out shows; absent: the nearest. */
  shownNote?: string;
  /** Above the graph and the tables. */
  summary?: ReactNode;
  /**
   * The same data as tables; absent: records and relations. `showNode` shows a node in the graph; undefined when the
   * browser cannot draw.
   */
  renderTables?: (showNode: ((id: string) => void) | undefined) => ReactNode;
  /** Title of a failed load. */
  failure?: string;
}

const views = [
  { value: 'graph', label: 'Graph' },
  { value: 'table', label: 'Table' },
] as const;

const always = () => true;

/** A record and its relations as a graph, 600 px tall (spec 9), or as tables. */
export function RelationGraph({
  label,
  query: { data, error, refetch },
  onOpen,
  canOpen = always,
  details,
  emptyHint,
  least = 2,
  coloring = 'score',
  pathOf,
  shownNote,
  summary,
  renderTables,
  failure = 'Failed to load the graph.',
}: RelationGraphProps) {
  const model = useMemo(() => data && modelOf(data, coloring), [data, coloring]);
  const [firstPick, setFirstPick] = useState<string>();
  const [drawable, setDrawable] = useState(canDraw);
  const [view, setView] = useState<(typeof views)[number]['value']>('graph');
  const slow = useDelayed(model === undefined);

  // Loads the code in parallel with the data; on failure the canvas loads it again and shows the error.
  useEffect(() => {
    if (drawable) GraphCanvas.load().catch(() => undefined);
  }, [drawable]);

  function showNode(id: string): void {
    setFirstPick(id);
    setView('graph');
  }

  function changeView(next: typeof view): void {
    setFirstPick(undefined);
    setView(next);
  }

  function body(): ReactNode {
    if (model === undefined && error !== null && error !== undefined) {
      return <ErrorState title={failure} error={error} onRetry={() => void refetch()} />;
    }
    if (model === undefined) return <Waiting label={slow ? 'Loading…' : ''} />;
    if (model.nodes.length < least) {
      return (
        <EmptyState
          icon={<Waypoints aria-hidden size={20} />}
          title="No related assets yet."
          {...emptyHint}
        />
      );
    }
    if (!drawable || view === 'table') {
      return (
        <>
          {!drawable && (
            <div className="px-4 pt-3">
              <Notice tone="info">
                This browser cannot draw graphs because WebGL is disabled. The tables show the same data.
              </Notice>
            </div>
          )}
          {renderTables?.(drawable ? showNode : undefined) ?? (
            <GraphTables label={label} model={model} onOpen={onOpen} canOpen={canOpen} />
          )}
        </>
      );
    }
    return (
      <GraphCanvas
        label={label}
        model={model}
        onOpen={onOpen}
        canOpen={canOpen}
        details={details}
        pathOf={pathOf}
        shownNote={shownNote ?? 'only the nearest records and relations are shown'}
        firstPick={firstPick}
        onFailure={() => setDrawable(false)}
      />
    );
  }

  const both = drawable && model !== undefined && model.nodes.length >= least;
  return (
    <Card
      title={label}
      actions={both && <Segmented label="Shown as" items={views} value={view} onChange={changeView} />}
    >
      {model !== undefined && summary}
      {body()}
    </Card>
  );
}

function Waiting({ label }: { label: string }) {
  return (
    <output className="flex h-150 items-center justify-center gap-2 text-sm text-muted">
      {label !== '' && <Spinner />}
      {label}
    </output>
  );
}

/** Whether this browser supports WebGL; it may be disabled or missing. */
function canDraw(): boolean {
  if (typeof WebGLRenderingContext === 'undefined') return false;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
  // Browsers limit the number of contexts.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
