import {
  useId,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { paneMarks } from '../../lib/browser/side-pane.ts';
import { createStore, useStore } from '../../lib/browser/store.ts';
import { sidePaneHost } from './side-pane-host.tsx';

/** Pixels. */
const widths = { min: 340, standard: 440, max: 760, step: 24 } as const;
/** Largest share of the window: the list keeps the larger part of the page. */
const mostOfWindow = 0.36;
const key = 'riskboard.side-pane';

const limited = (pixels: number): number =>
  Math.round(Math.min(widths.max, Math.max(widths.min, Number.isFinite(pixels) ? pixels : widths.standard)));

function stored(): number {
  try {
    return limited(Number(localStorage.getItem(key) ?? widths.standard));
  } catch {
    return widths.standard;
  }
}

/** Width of the pane in this browser. */
const paneWidth = createStore(stored());

function setWidth(pixels: number): void {
  paneWidth.set(limited(pixels));
  try {
    localStorage.setItem(key, String(paneWidth.get()));
  } catch {
    // Storage may be disabled; the width then lasts until the page is closed.
  }
}

function onResize(listener: () => void) {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** Largest width of the pane in this window. */
const useMostWidth = (): number =>
  useSyncExternalStore(onResize, () => limited(window.innerWidth * mostOfWindow));

interface SidePaneProps {
  title: string;
  /** Below the title. */
  subtitle?: ReactNode;
  /** To the right of the title. */
  actions: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}

/** A pane beside the page, which stays usable. Its width can be changed and is kept in this browser. */
export function SidePane({ title, subtitle, actions, footer, children }: SidePaneProps) {
  const id = useId();
  const element = useStore(sidePaneHost);
  const most = useMostWidth();
  const width = Math.min(useStore(paneWidth), most);
  if (element === null) return null;
  return createPortal(
    <aside
      aria-labelledby={id}
      {...paneMarks.pane}
      style={{ width }}
      className="sticky top-14 z-10 flex h-[calc(100dvh-3.5rem)] shrink-0 flex-col border-l bg-surface print:hidden"
    >
      <Separator width={width} most={most} />
      <header className="flex min-h-14 shrink-0 items-start gap-2 border-b py-3 pr-3 pl-5">
        <div className="min-w-0 grow">
          <h2
            id={id}
            tabIndex={-1}
            {...paneMarks.title}
            title={title}
            className="line-clamp-2 text-lg leading-6 font-semibold wrap-anywhere"
          >
            {title}
          </h2>
          {subtitle}
        </div>
        {actions}
      </header>
      <div className="min-h-0 grow overflow-y-auto">{children}</div>
      {footer !== undefined && <footer className="shrink-0 border-t px-5 py-3">{footer}</footer>}
    </aside>,
    element,
  );
}

interface SeparatorProps {
  /** Of the pane as it is shown. */
  width: number;
  most: number;
}

/** The edge of the pane: dragged, or moved by the arrow keys. */
function Separator({ width, most }: SeparatorProps) {
  const [from, setFrom] = useState<{ x: number; width: number }>();

  /** Leaves a larger width that was chosen in a larger window. */
  function change(pixels: number): void {
    const next = Math.min(limited(pixels), most);
    if (next !== width) setWidth(next);
  }

  function begin(event: PointerEvent<HTMLDivElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    setFrom({ x: event.clientX, width });
  }

  function move({ clientX }: PointerEvent): void {
    if (from !== undefined) change(from.width + from.x - clientX);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: widths.step, ArrowRight: -widths.step };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    change(width + step);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that moves (ARIA, window splitter)
    <hr
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuemin={widths.min}
      aria-valuemax={most}
      aria-valuenow={width}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- likewise
      tabIndex={0}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={() => setFrom(undefined)}
      onPointerCancel={() => setFrom(undefined)}
      onDoubleClick={() => setWidth(widths.standard)}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 m-0 h-auto border-0 -left-1 w-2 cursor-col-resize touch-none outline-none after:absolute after:inset-y-0 after:left-1 after:w-px hover:after:bg-accent focus-visible:after:w-0.5 focus-visible:after:bg-focus"
    />
  );
}
