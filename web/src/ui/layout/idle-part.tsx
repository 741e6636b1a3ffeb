import { useEffect, type ComponentType, type ReactNode } from 'react';
import { Skeleton } from '../feedback/skeleton.tsx';
import { whenIdle } from '../../lib/browser/when-idle.ts';
import { lazyPart } from './lazy-part.tsx';

/** Content of a popover until it is loaded. */
const bars = (
  <div className="p-3">
    <Skeleton />
  </div>
);

/**
 * The content of a popup, in a chunk of its own that keeps the page within its budget (decision 18). It loads when the
 * browser is idle after the page, so that the first click shows it at once, or else with the click.
 * @param fallback shown when the click comes before the load has ended; null for dialogs
 */
export function idlePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = bars,
) {
  const Part = lazyPart(load, fallback, fallback === null);

  /** Loads the part when the browser is idle; for the page that has it. */
  function useIdleLoad(): void {
    // A failed load is repeated by the click.
    useEffect(() => whenIdle(() => void Part.load().catch(() => undefined)), []);
  }

  return { Part, useIdleLoad };
}
