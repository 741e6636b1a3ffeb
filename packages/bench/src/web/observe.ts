import type { Page } from 'playwright-core';

/** What the page reports about its own speed, in milliseconds. */
export interface Observed {
  lcp: number;
  /** Element of the largest paint. */
  lcpOf: string;
  cls: number;
  /** Elements of the greatest shift of the layout, with the distance. */
  clsOf: string;
  /** Longest interaction: from the input to the next frame. */
  inp: number;
  longTasks: { at: number; took: number }[];
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources?: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

declare global {
  interface Window {
    observed?: Observed;
  }
}

/** Starts the observers of a page, before its first document. */
export async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const observed: Observed = { lcp: Number.NaN, lcpOf: '', cls: 0, clsOf: '', inp: 0, longTasks: [] };
    window.observed = observed;
    let greatest = 0;
    const watch = (type: string, take: (entry: PerformanceEntry) => void, more: object = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
        type,
        buffered: true,
        ...more,
      });
    watch('largest-contentful-paint', (entry) => {
      const { element } = entry as PerformanceEntry & { element?: Element };
      observed.lcp = entry.startTime;
      observed.lcpOf = `${element?.tagName ?? ''} ${element?.textContent?.slice(0, 40) ?? ''}`;
    });
    watch('layout-shift', (entry) => {
      const { value, hadRecentInput, sources = [] } = entry as LayoutShift;
      if (hadRecentInput) return;
      observed.cls += value;
      if (value < greatest) return;
      greatest = value;
      observed.clsOf = sources
        .map(
          ({ node, previousRect, currentRect }) =>
            `${node?.textContent?.slice(0, 20) ?? ''} by ${Math.round(currentRect.top - previousRect.top)} px`,
        )
        .join(', ');
    });
    watch(
      'event',
      (entry) => {
        if ((entry as PerformanceEventTiming).interactionId > 0)
          observed.inp = Math.max(observed.inp, entry.duration);
      },
      { durationThreshold: 16 },
    );
    watch('longtask', ({ startTime, duration }) => {
      observed.longTasks.push({ at: startTime, took: duration });
    });
  });
}

/** Reads what was observed so far; longest interaction and long tasks start anew. */
export const readObserved = (page: Page): Promise<Observed> =>
  page.evaluate(() => {
    if (window.observed === undefined) throw new Error('The page is not observed');
    const read = { ...window.observed };
    Object.assign(window.observed, { inp: 0, longTasks: [] });
    return read;
  });
