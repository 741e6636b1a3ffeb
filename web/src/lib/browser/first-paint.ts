import { useDeferredValue, useEffect } from 'react';

/** A page that is loaded again, or reached by the buttons of the browser, is scrolled to where it was: it needs its whole height. */
const keepsPosition = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type !== 'navigate');

let isPainted = keepsPosition();

/**
 * Whether the app has been painted once. Until then a page leaves out what takes long to render, so that its header is shown
 * sooner. React renders the rest right after the first paint, in pieces that input interrupts.
 */
export function useIsPainted(): boolean {
  // Without a first value, React renders once.
  const isComplete = useDeferredValue(true, isPainted ? undefined : false);
  useEffect(() => {
    isPainted = true;
  }, []);
  return isComplete;
}
