import { useState, type ComponentType, type ReactNode } from 'react';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';
import { Segmented } from '../input/segmented.tsx';
import { Card } from '../layout/card.tsx';
import { ChartFailed, ChartPending, drawable, Drawing, type DrawingSize } from './drawing.tsx';

export interface ChartQuery {
  readonly error: unknown;
  readonly isFetching: boolean;
  refetch(): unknown;
}

interface LegendEntry {
  readonly swatch: ReactNode;
  readonly text: string;
  /** Shows or hides what the entry names; absent: it is always shown. */
  readonly toggle?: { readonly isShown: boolean; readonly onToggle: () => void } | undefined;
}

export interface ChartCardProps<Props extends object> {
  /** Name of the chart and its table; title of the card, unless `title` is given. */
  label: string;
  title?: ReactNode;
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
        readonly legend?: readonly LegendEntry[];
        /** Below chart and table. */
        readonly note?: ReactNode;
        /** Above chart and table. */
        readonly lead?: ReactNode;
      }
    | undefined;
}

/** Pixels below a drawing; the drawing uses them where there is no legend. */
const legendHeight = 52;

const views = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;

/**
 * A chart with a table of the same data. The chart library loads with the first chart; height is reserved from the start,
 * so nothing below it moves.
 */
export function ChartCard<Props extends object>({
  label,
  title = label,
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
      title={title}
      label={label}
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
      <div style={{ minHeight: height + legendHeight }} className="flex flex-col justify-center">
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
    return <ChartFailed error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />;
  }
  if (content === undefined) return <ChartPending label={slow ? 'Loading…' : ''} />;
  if (empty !== undefined) return empty;
  const { load, props, summary, table, legend = [], note, lead } = content;
  if (asTable) {
    return (
      <>
        {lead}
        {table}
        {note}
      </>
    );
  }
  return (
    <>
      {lead}
      <Drawing
        name={`${label}: ${summary}`}
        height={legend.length > 0 ? height : height + legendHeight}
        load={load}
        props={props}
      />
      {legend.length > 0 && (
        <ul
          aria-label="Legend"
          className="flex flex-wrap justify-center gap-x-4 gap-y-1 px-4 pb-3 text-xs text-muted"
        >
          {legend.map(({ swatch, text, toggle }) => (
            <li key={text} className="flex items-center gap-1.5">
              {toggle === undefined ? (
                <>
                  {swatch}
                  {text}
                </>
              ) : (
                <button
                  type="button"
                  aria-pressed={toggle.isShown}
                  title={toggle.isShown ? `Hide ${text}` : `Show ${text}`}
                  onClick={toggle.onToggle}
                  className="flex min-h-6 items-center gap-1.5 rounded px-1 hover:bg-hover aria-[pressed=false]:line-through"
                >
                  <span className={toggle.isShown ? '' : 'opacity-40'}>{swatch}</span>
                  {text}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {note}
    </>
  );
}
