import { useEffect, useEffectEvent, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { useGraphColors, type GraphColors } from '../graph/colors.ts';
import { Segmented } from '../input/segmented.tsx';
import { Card } from '../layout/card.tsx';

export interface ChartQuery {
  readonly error: unknown;
  readonly isFetching: boolean;
  refetch(): unknown;
}

export interface ChartCardProps<Props extends object> {
  /** Title of the card, and name of the chart and its table. */
  label: string;
  /** Controls before the choice of chart and table. */
  controls?: ReactNode;
  /** Part of React Query's result. */
  query: ChartQuery;
  /** Shown instead of a chart when there is too little data. */
  empty?: ReactNode;
  /** Pixels of the drawing. */
  height?: number;
  /** Undefined while the data loads. */
  content:
    | {
        /** The drawing, from a chunk of its own. */
        readonly load: () => Promise<ComponentType<Props & DrawingSize>>;
        readonly props: Props;
        /** The chart in a sentence, for screen readers. */
        readonly summary: string;
        readonly table: ReactNode;
        /** What colors and lines mean, below the chart. */
        readonly legend?: readonly { readonly swatch: ReactNode; readonly text: string }[];
        /** Below chart and table. */
        readonly note?: ReactNode;
      }
    | undefined;
}

interface DrawingSize {
  height: number;
  colors: GraphColors;
}

const views = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;

/** Whether the browser measures SVG text, which the chart library requires; else the table is shown. */
const canDraw = (): boolean => typeof SVGElement !== 'undefined' && 'getBBox' in SVGElement.prototype;
const drawable =
  canDraw() || (typeof SVGGraphicsElement !== 'undefined' && 'getBBox' in SVGGraphicsElement.prototype);

/**
 * A chart with a table of the same data. The chart library loads with the first chart; height is reserved from the start,
 * so nothing below it moves.
 */
export function ChartCard<Props extends object>({
  label,
  controls,
  query,
  empty,
  height = 240,
  content,
}: ChartCardProps<Props>) {
  const [view, setView] = useState<(typeof views)[number]['value']>('chart');
  const hasViews = content !== undefined && empty === undefined && drawable;
  return (
    <Card
      title={label}
      actions={
        (hasViews || controls !== undefined) && (
          <span className="flex flex-wrap items-center justify-end gap-2">
            {controls}
            {hasViews && (
              <Segmented label={`${label} shown as`} items={views} value={view} onChange={setView} />
            )}
          </span>
        )
      }
    >
      <div style={{ minHeight: height + 52 }} className="flex flex-col justify-center">
        <Body {...{ label, query, empty, height, content }} asTable={view === 'table' || !drawable} />
      </div>
    </Card>
  );
}

type BodyProps<Props extends object> = Required<
  Pick<ChartCardProps<Props>, 'label' | 'query' | 'height' | 'content'>
> & { empty: ReactNode; asTable: boolean };

function Body<Props extends object>({ label, query, empty, height, content, asTable }: BodyProps<Props>) {
  const slow = useDelayed(content === undefined);
  const failed = query.error !== null && query.error !== undefined;
  if (content === undefined && failed) {
    return <Failed error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />;
  }
  if (content === undefined) return <Waiting label={slow ? 'Loading…' : ''} />;
  if (empty !== undefined) return empty;
  const { load, props, summary, table, legend = [], note } = content;
  if (asTable) {
    return (
      <>
        {table}
        {note}
      </>
    );
  }
  return (
    <>
      <Drawing name={`${label}: ${summary}`} height={height} load={load} props={props} />
      {legend.length > 0 && (
        <ul
          aria-label="Legend"
          className="flex flex-wrap justify-center gap-x-4 gap-y-1 px-4 pb-3 text-xs text-muted"
        >
          {legend.map(({ swatch, text }) => (
            <li key={text} className="flex items-center gap-1.5">
              {swatch}
              {text}
            </li>
          ))}
        </ul>
      )}
      {note}
    </>
  );
}

interface DrawingProps<Props extends object> {
  name: string;
  height: number;
  load: () => Promise<ComponentType<Props & DrawingSize>>;
  props: Props;
}

function Drawing<Props extends object>({ name, height, load, props }: DrawingProps<Props>) {
  const frame = useRef<HTMLDivElement>(null);
  const colors = useGraphColors(frame);
  const [loaded, setLoaded] = useState<{ Chart?: ComponentType<Props & DrawingSize>; error?: unknown }>({});

  const start = () =>
    load().then(
      (Chart) => setLoaded({ Chart }),
      (error: unknown) => setLoaded({ error }),
    );
  const startOnce = useEffectEvent(start);
  useEffect(() => void startOnce(), []);

  function retry(): void {
    setLoaded({});
    void start();
  }

  if (loaded.error !== undefined) return <Failed error={loaded.error} onRetry={retry} />;
  const { Chart } = loaded;
  return (
    <div
      ref={frame}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the library draws an svg into it
      role="img"
      aria-label={name}
      style={{ height }}
      className="relative overflow-hidden px-2 pt-2"
    >
      {Chart === undefined || colors === undefined ? (
        <Waiting label="" />
      ) : (
        <Chart {...props} height={height - 8} colors={colors} />
      )}
    </div>
  );
}

function Failed({ error, busy, onRetry }: { error: unknown; busy?: boolean; onRetry: () => void }) {
  return (
    <ErrorState title="Failed to load chart data." error={error} busy={busy ?? false} onRetry={onRetry} />
  );
}

function Waiting({ label }: { label: string }) {
  return (
    <output className="flex h-full items-center justify-center gap-2 text-sm text-muted">
      {label !== '' && <Spinner />}
      {label}
    </output>
  );
}
