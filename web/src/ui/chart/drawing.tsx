import { useEffect, useEffectEvent, useRef, useState, type ComponentType } from 'react';
import { ErrorState } from '../feedback/error-state.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { useGraphColors, type GraphColors } from '../graph/colors.ts';

export interface DrawingSize {
  /** Pixels. */
  height: number;
  colors: GraphColors;
}

const canDraw = (): boolean => typeof SVGElement !== 'undefined' && 'getBBox' in SVGElement.prototype;

/** Whether the browser measures SVG text, which the chart library requires; else the table is shown. */
export const drawable =
  canDraw() || (typeof SVGGraphicsElement !== 'undefined' && 'getBBox' in SVGGraphicsElement.prototype);

interface DrawingProps<Props extends object> {
  /** The chart in a sentence, for screen readers. */
  name: string;
  height: number;
  /** From a chunk of its own. */
  load: () => Promise<ComponentType<Props & DrawingSize>>;
  props: Props;
}

/** The drawing of a chart; the chart library loads with the first one. */
export function Drawing<Props extends object>({ name, height, load, props }: DrawingProps<Props>) {
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

  if (loaded.error !== undefined) return <ChartFailed error={loaded.error} onRetry={retry} />;
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
        <ChartPending label="" />
      ) : (
        <Chart {...props} height={height - 8} colors={colors} />
      )}
    </div>
  );
}

/** Instead of a chart that could not be loaded (spec 8). */
export function ChartFailed({
  error,
  busy,
  onRetry,
}: {
  error: unknown;
  busy?: boolean;
  onRetry: () => void;
}) {
  return (
    <ErrorState title="Failed to load chart data." error={error} busy={busy ?? false} onRetry={onRetry} />
  );
}

/** Instead of a chart that loads. */
export function ChartPending({ label }: { label: string }) {
  return (
    <output className="flex h-full items-center justify-center gap-2 text-sm text-muted">
      {label !== '' && <Spinner />}
      {label}
    </output>
  );
}
