import { useCallback, useSyncExternalStore, type RefObject } from 'react';

/** Width in pixels of an element without padding, as container queries see it; undefined while it is not on the page. */
export function useWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const subscribe = useCallback(
    (listener: () => void) => {
      const observer = new ResizeObserver(listener);
      if (element.current !== null) observer.observe(element.current);
      return () => observer.disconnect();
    },
    [element],
  );
  return useSyncExternalStore(subscribe, () => element.current?.clientWidth);
}
