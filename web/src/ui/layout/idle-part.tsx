import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Skeleton } from '../feedback/skeleton.tsx';
import { whenIdle } from '../../lib/browser/when-idle.ts';

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
  let loaded: ComponentType<Props> | undefined;
  async function start(): Promise<{ default: ComponentType<Props> }> {
    loaded ??= await load();
    return { default: loaded };
  }
  const Waiting = lazy(start);

  function Part(props: Props) {
    // React shows the fallback of a lazy component for up to 300 ms, even when its code has been loaded before.
    const [Content] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return (
      <Suspense fallback={fallback}>
        <Content {...props} />
      </Suspense>
    );
  }

  /** Loads the part when the browser is idle; for the page that has it. */
  function useIdleLoad(): void {
    // A failed load is repeated by the click.
    useEffect(() => whenIdle(() => void start().catch(() => undefined)), []);
  }

  return { Part, useIdleLoad };
}
