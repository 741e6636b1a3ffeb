import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';

/**
 * Widths of the columns as the browser gave them to the first rows, so that they do not jump with the rows in sight.
 * Measured anew when `key` changes (columns, density) and when the region has another width.
 * @returns undefined while the browser decides, or where nothing is to be held
 */
export function useFixedWidths(
  region: RefObject<HTMLElement | null>,
  key: string | undefined,
): readonly number[] | undefined {
  const [held, setHeld] = useState<{ key: string; widths: readonly number[] }>();
  const current = held?.key === key ? held : undefined;

  useLayoutEffect(() => {
    const heads = region.current?.querySelectorAll('thead th');
    if (key === undefined || current !== undefined || heads === undefined) return;
    const widths = [...heads].map((head) => head.getBoundingClientRect().width).filter((width) => width > 0);
    // oxlint-disable-next-line react/set-state-in-effect -- only what the browser has laid out can be measured
    if (widths.length > 0) setHeld({ key, widths });
  }, [region, key, current]);

  useEffect(() => {
    const element = region.current;
    if (element === null || key === undefined) return undefined;
    let { clientWidth } = element;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === clientWidth) return;
      clientWidth = element.clientWidth;
      setHeld(undefined);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [region, key]);

  return current?.widths;
}
