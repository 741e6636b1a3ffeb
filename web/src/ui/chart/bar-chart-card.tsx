import { useEffect, useEffectEvent, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { useGraphColors } from '../graph/colors.ts';
import { Segmented } from '../input/segmented.tsx';
import { Card } from '../layout/card.tsx';
import type { ApexBars } from './apex-bars.tsx';
import type { Bar, BarAxis, BarColor } from './bar-chart.ts';

interface BarChartCardProps {
  /** Title of the card, and name of the chart and its table. */
  label: string;
  /** Undefined while the data loads. */
  bars: readonly Bar[] | undefined;
  axis: BarAxis;
  /** Heads of the table's two columns; the second one also names the series. */
  columns: readonly [string, string];
  /** Part of React Query's result. */
  query: { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown };
  /** Shown instead of a chart when there are not enough bars. */
  empty?: ReactNode;
  /** What the colors mean. */
  legend?: readonly { readonly color: BarColor; readonly text: string }[];
  /** Pixels of the drawing. */
  height?: number;
}

const views = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;

const noLegend: NonNullable<BarChartCardProps['legend']> = [];

type Drawn = ComponentType<Parameters<typeof ApexBars>[0]>;
const loadBars = async (): Promise<Drawn> => (await import('./apex-bars.tsx')).ApexBars;

/** Whether the browser measures SVG text, which the chart library requires; else the table is shown. */
const canDraw = (): boolean => typeof SVGElement !== 'undefined' && 'getBBox' in SVGElement.prototype;
const drawable =
  canDraw() || (typeof SVGGraphicsElement !== 'undefined' && 'getBBox' in SVGGraphicsElement.prototype);

/**
 * A bar chart with a table of the same data. The chart library loads with the first chart; height is reserved from the
 * start, so nothing below it moves.
 */
export function BarChartCard({
  label,
  bars,
  axis,
  columns,
  query,
  empty,
  legend = noLegend,
  height = 240,
}: BarChartCardProps) {
  const [view, setView] = useState<(typeof views)[number]['value']>('chart');
  const shown = bars !== undefined && empty === undefined;
  return (
    <Card
      title={label}
      actions={
        shown &&
        drawable && <Segmented label={`${label} shown as`} items={views} value={view} onChange={setView} />
      }
    >
      <div style={{ minHeight: height + 52 }} className="flex flex-col justify-center">
        <Body
          {...{ label, bars, axis, columns, query, empty, legend, height }}
          asTable={view === 'table' || !drawable}
        />
      </div>
    </Card>
  );
}

type BodyProps = Required<Omit<BarChartCardProps, 'empty'>> & { empty: ReactNode; asTable: boolean };

function Body({ label, bars, axis, columns, query, empty, legend, height, asTable }: BodyProps) {
  const slow = useDelayed(bars === undefined);
  const failed = query.error !== null && query.error !== undefined;
  if (bars === undefined && failed) {
    return <Failed error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />;
  }
  if (bars === undefined) return <Waiting label={slow ? 'Loading…' : ''} />;
  if (empty !== undefined) return empty;
  if (asTable) return <BarTable label={label} bars={bars} columns={columns} />;
  return (
    <>
      <Drawing label={label} series={columns[1]} bars={bars} axis={axis} height={height} />
      {legend.length > 0 && (
        <ul
          aria-label="Legend"
          className="flex flex-wrap justify-center gap-x-4 gap-y-1 px-4 pb-3 text-xs text-muted"
        >
          {legend.map(({ color, text }) => (
            <li key={color} className="flex items-center gap-1.5">
              <span aria-hidden className={`size-2.5 rounded-full ${swatches[color]}`} />
              {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const swatches = {
  red: 'bg-graph-red',
  amber: 'bg-graph-amber',
  green: 'bg-graph-low',
  accent: 'bg-accent',
  unknown: 'bg-graph-unknown',
} as const satisfies Record<BarColor, string>;

interface DrawingProps {
  label: string;
  series: string;
  bars: readonly Bar[];
  axis: BarAxis;
  height: number;
}

function Drawing({ label, series, bars, axis, height }: DrawingProps) {
  const frame = useRef<HTMLDivElement>(null);
  const colors = useGraphColors(frame);
  const [loaded, setLoaded] = useState<{ Bars?: Drawn; error?: unknown }>({});

  const load = () =>
    loadBars().then(
      (Bars) => setLoaded({ Bars }),
      (error: unknown) => setLoaded({ error }),
    );
  const start = useEffectEvent(load);
  useEffect(() => void start(), []);

  function retry(): void {
    setLoaded({});
    void load();
  }

  if (loaded.error !== undefined) return <Failed error={loaded.error} onRetry={retry} />;
  const { Bars } = loaded;
  return (
    <div
      ref={frame}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the library draws an svg into it
      role="img"
      aria-label={`${label}: ${plainText(bars)}`}
      style={{ height }}
      className="relative overflow-hidden px-2 pt-2"
    >
      {Bars === undefined || colors === undefined ? (
        <Waiting label="" />
      ) : (
        <Bars label={series} bars={bars} axis={axis} height={height - 8} colors={colors} />
      )}
    </div>
  );
}

/** The chart in a sentence: every bar while they are few, else the first and the last. */
function plainText(bars: readonly Bar[]): string {
  const shown = bars.length > 8 ? [bars[0], bars.at(-1)] : bars;
  const text = shown
    .flatMap((bar) => (bar === undefined ? [] : [`${bar.name ?? bar.label} ${bar.text}`]))
    .join('; ');
  return bars.length > 8 ? `${bars.length} bars, from ${text.replace('; ', ' to ')}` : text;
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

function BarTable({ label, bars, columns }: Pick<BodyProps, 'label' | 'bars' | 'columns'>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard
    <section className="max-h-80 overflow-auto" tabIndex={0} aria-label={`${label}: table`}>
      <table aria-label={label} className="w-full text-sm">
        <thead className="text-left text-xs text-muted">
          <tr>
            <th scope="col" className="px-4 py-2 font-medium">
              {columns[0]}
            </th>
            <th scope="col" className="px-4 py-2 text-right font-medium">
              {columns[1]}
            </th>
          </tr>
        </thead>
        <tbody>
          {(bars ?? []).map((bar, n) => (
            // oxlint-disable-next-line react/no-array-index-key -- two bars may have one label
            <tr key={n} className="border-t">
              <th scope="row" className="px-4 py-1.5 text-left font-normal">
                {bar.name ?? bar.label}
              </th>
              <td className="px-4 py-1.5 text-right tabular-nums">{bar.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
