import { useLayoutEffect, useRef, type CSSProperties, type ReactNode, type RefObject } from 'react';
import type { Density } from '../../lib/list/list-layout.ts';
import { leastWidth } from './table-style.ts';

interface TableProps {
  /** Name of the table and its scroll region. */
  label: string;
  /** Old rows stay while new ones load. */
  busy?: boolean;
  /** The scroll region. */
  ref?: RefObject<HTMLElement | null>;
  /** Set when only the visible rows are rendered: the total count. */
  virtual?: { rows: number } | undefined;
  /** `tableStyle` of the columns. */
  style: CSSProperties;
  density?: Density;
  /** `thead` and `tbody`. */
  children: ReactNode;
}

/**
 * One scroll area per page: the page scrolls a table that fits its width, and the header stays below the top bar. A
 * table that is too wide scrolls by itself; on narrow screens only sideways. Paper shows all rows and columns. Virtual rows
 * need a scroller of their own.
 */
const scrolling = {
  page: 'overflow-clip data-wide:overflow-auto md:data-wide:max-h-[max(288px,calc(100dvh-232px))] print:max-h-none! print:overflow-visible!',
  own: 'max-h-[max(288px,calc(100dvh-232px))] overflow-auto',
} as const;

/** Frame of a table: a scroll region, also by keyboard, with a sticky header. */
export function Table({ label, busy = false, ref, virtual, style, density, children }: TableProps) {
  const own = useRef<HTMLElement>(null);
  const region = ref ?? own;
  useEdges(region);
  return (
    <section
      ref={region}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll region takes the focus (WCAG 2.1.1)
      tabIndex={0}
      // The header and the pinned column never cover the focus (WCAG 2.4.11).
      data-density={density}
      data-own={virtual === undefined ? undefined : ''}
      className={`@container/table group/table scroll-pt-11 scroll-pb-2 -outline-offset-2 md:scroll-pr-16 md:scroll-pl-60 ${virtual === undefined ? scrolling.page : scrolling.own}`}
    >
      <table
        aria-label={label}
        aria-busy={busy}
        aria-rowcount={virtual === undefined ? undefined : virtual.rows + 1}
        style={style}
        className={`w-full table-fixed border-separate border-spacing-0 text-base transition-opacity delay-150 aria-busy:opacity-60 print:min-w-0! print:table-auto print:text-xs ${leastWidth}`}
      >
        {children}
      </table>
    </section>
  );
}

/**
 * Marks a region with `data-wide` when its content is wider, with `data-scrolled` when content is hidden on its left, and
 * with `data-more` on its right. Before the page is shown: the router restores the scroll position of a region right after
 * that, and one that is not marked yet does not scroll.
 */
function useEdges(region: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null) return undefined;
    const mark = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      element.toggleAttribute('data-scrolled', scrollLeft > 0);
      element.toggleAttribute('data-more', scrollLeft + clientWidth < scrollWidth - 1);
      element.toggleAttribute('data-wide', scrollWidth > clientWidth + 1);
    };
    mark();
    element.addEventListener('scroll', mark, { passive: true });
    const observer = new ResizeObserver(mark);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => {
      element.removeEventListener('scroll', mark);
      observer.disconnect();
    };
  }, [region]);
}
