import { plural } from '@riskboard/domain';
import { Maximize, Minus, Plus } from 'lucide-react';
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { IconButton } from '../button/icon-button.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { useGraphColors } from './colors.ts';
import type { GraphKind, GraphNode } from './kinds.ts';
import { Legend } from './legend.tsx';
import type { GraphModel } from './model.ts';
import { NodeSearch } from './node-search.tsx';
import { Peek } from './peek.tsx';
import { createStage, type Stage } from './stage.ts';
import { useLayout, type Layout } from './use-layout.ts';
import { zoomedIn, zoomedOut, zoomRange, zoomText } from './zoom.ts';

interface GraphCanvasProps {
  label: string;
  model: GraphModel;
  onOpen: (node: GraphNode) => void;
  canOpen: (node: GraphNode) => boolean;
  details?: ((node: GraphNode) => ReactNode) | undefined;
  pathOf?: ((node: GraphNode) => readonly string[] | undefined) | undefined;
  /** Which nodes a graph that leaves some out shows. */
  shownNote: string;
  /** The node that is selected and centered at first. */
  firstPick?: string | undefined;
  /** Called when the browser cannot draw. */
  onFailure: () => void;
}

/** Pixels by which an arrow key moves the view. */
const step = 60;
const noPath = () => undefined;
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The drawn graph with search, legend and zoom controls. */
export function GraphCanvas({
  label,
  model: newest,
  onOpen,
  canOpen,
  details,
  pathOf = noPath,
  shownNote,
  firstPick,
  onFailure,
}: GraphCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const hint = useId();
  const colors = useGraphColors(frame);
  const layout = useLayout(newest);
  // What is drawn, until a change of most records has been laid out.
  const model = layout?.model ?? newest;
  const [stage, setStage] = useState<Stage>();
  const [zoom, setZoom] = useState<number>(zoomRange.initial);
  const [hidden, setHidden] = useState<ReadonlySet<GraphKind>>(new Set());
  const [pickedId, setPickedId] = useState(firstPick);
  const picked = pickedId === undefined ? undefined : model.byId.get(pickedId);
  useQuietPointer(host);

  const make = useEffectEvent((element: HTMLElement) => {
    if (colors === undefined || layout === undefined) return undefined;
    try {
      return createStage(element, {
        content: { ...layout, pathOf },
        colors,
        still: isStill(),
        onPick: (node) => setPickedId(node?._id),
        onZoom: setZoom,
      });
    } catch {
      onFailure();
      return undefined;
    }
  });

  const centreFirst = useEffectEvent((made: Stage) => picked !== undefined && made.centreOn(picked));

  const replace = useEffectEvent((made: Stage, next: Layout) => made.setContent({ ...next, pathOf }));

  const ready = colors !== undefined && layout !== undefined;
  useEffect(() => {
    if (host.current === null || !ready) return undefined;
    const made = make(host.current);
    setStage(made);
    setZoom(zoomRange.initial);
    if (made !== undefined) centreFirst(made);
    return () => {
      setStage(undefined);
      made?.end();
    };
  }, [ready]);

  useEffect(() => {
    if (stage !== undefined && layout !== undefined) replace(stage, layout);
  }, [stage, layout]);
  useEffect(() => colors && stage?.setColors(colors), [stage, colors]);
  useEffect(() => stage?.setHidden(hidden), [stage, hidden]);
  useEffect(() => stage?.setPicked(picked), [stage, picked]);

  function look(node: GraphNode): void {
    if (hidden.has(node.kind)) setHidden(new Set([...hidden].filter((kind) => kind !== node.kind)));
    setPickedId(node._id);
    stage?.centreOn(node);
  }

  function close(): void {
    setPickedId(undefined);
    host.current?.focus({ preventScroll: true });
  }

  const keys: Record<string, () => void> = {
    ArrowLeft: () => stage?.pan(-step, 0),
    ArrowRight: () => stage?.pan(step, 0),
    ArrowUp: () => stage?.pan(0, -step),
    ArrowDown: () => stage?.pan(0, step),
    '+': () => stage?.zoomTo(zoomedIn(zoom)),
    '-': () => stage?.zoomTo(zoomedOut(zoom)),
    '0': () => stage?.fit(),
  };

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  return (
    <div ref={frame}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-2">
        <NodeSearch nodes={model.nodes} onPick={look} />
        <p className="text-xs text-muted">
          {plural(model.nodes.length, 'record')} · {plural(model.edges.length, 'relation')}
          {model.more && ` · ${shownNote}`}
        </p>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes what lies over the graph */}
      <div
        className="relative h-150 overflow-hidden"
        onKeyDown={(event) => event.key === 'Escape' && picked !== undefined && close()}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys */}
        <div
          ref={host}
          role="application"
          aria-label={`${label}: ${plural(model.nodes.length, 'record')}, ${plural(model.edges.length, 'relation')}`}
          aria-describedby={hint}
          data-drawn={stage !== undefined}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys below move the view
          tabIndex={0}
          onKeyDown={onKeyDown}
          className="absolute inset-0 -outline-offset-2"
        />
        <p id={hint} className="sr-only">
          Arrow keys move the view, plus and minus zoom, 0 fits it. The table shows the same data.
        </p>
        {stage === undefined && (
          <output className="absolute inset-0 flex items-center justify-center gap-2 text-sm text-muted">
            <Spinner />
            Laying out {plural(model.nodes.length, 'record')}…
          </output>
        )}
        <GraphTools zoom={zoom} onZoom={(next) => stage?.zoomTo(next)} onFit={() => stage?.fit()} />
        {picked !== undefined && (
          <Peek
            key={picked._id}
            node={picked}
            model={model}
            details={details?.(picked)}
            onOpen={!picked.centre && canOpen(picked) ? () => onOpen(picked) : undefined}
            onPick={look}
            onClose={close}
          />
        )}
      </div>
      <Legend model={model} hidden={hidden} onHidden={setHidden} />
    </div>
  );
}

interface GraphToolsProps {
  zoom: number;
  onZoom: (zoom: number) => void;
  onFit: () => void;
}

/** Zoom controls (spec 9: zoom 0.1 to 1). */
function GraphTools({ zoom, onZoom, onFit }: GraphToolsProps) {
  return (
    <div className="absolute right-3 bottom-3 flex items-center gap-0.5 rounded border bg-raised p-0.5">
      <IconButton
        label="Zoom out"
        size="sm"
        icon={<Minus aria-hidden size={14} />}
        disabled={zoom <= zoomRange.least + 1e-6}
        onClick={() => onZoom(zoomedOut(zoom))}
      />
      <output aria-label="Zoom" className="w-11 text-center text-xs text-muted tabular-nums">
        {zoomText(zoom)}
      </output>
      <IconButton
        label="Zoom in"
        size="sm"
        icon={<Plus aria-hidden size={14} />}
        disabled={zoom >= zoomRange.most - 1e-6}
        onClick={() => onZoom(zoomedIn(zoom))}
      />
      <IconButton label="Fit to view" size="sm" icon={<Maximize aria-hidden size={14} />} onClick={onFit} />
    </div>
  );
}

/**
 * Prevents the graph from trapping the page's scrolling: the wheel zooms and one finger pans only while the graph has
 * the focus; Ctrl or ⌘ with the wheel, and two fingers, always work.
 */
function useQuietPointer(host: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const active = () => element.contains(document.activeElement);
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && !active()) event.stopPropagation();
    };
    const onTouch = (event: TouchEvent) => {
      if (event.touches.length < 2 && !active()) event.stopPropagation();
    };
    const onPress = () => element.focus({ preventScroll: true });
    const away = new AbortController();
    const { signal } = away;
    element.addEventListener('wheel', onWheel, { capture: true, passive: true, signal });
    element.addEventListener('touchstart', onTouch, { capture: true, passive: true, signal });
    element.addEventListener('touchmove', onTouch, { capture: true, passive: true, signal });
    element.addEventListener('mousedown', onPress, { signal });
    return () => away.abort();
  }, [host]);
}
