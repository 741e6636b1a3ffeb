import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

interface TableProps {
  /** Name of the table and its scroll region. */
  label: string;
  /** Old rows stay while new ones load. */
  busy?: boolean;
  /** The scroll region. */
  ref?: RefObject<HTMLElement | null>;
  /** Set when only the visible rows are rendered: the total count, and fixed column widths. */
  virtual?: { rows: number; widths: readonly number[] | undefined } | undefined;
  /** `thead` and `tbody`. */
  children: ReactNode;
}

const heights = {
  /** On narrow screens the page scrolls instead of the table. */
  plain: 'md:max-h-[max(288px,calc(100dvh-232px))]',
  virtual: 'max-h-[max(288px,calc(100dvh-232px))]',
} as const;

/** Frame of a table: a scroll region, also by keyboard, with a sticky header. */
export function Table({ label, busy = false, ref, virtual, children }: TableProps) {
  const own = useRef<HTMLElement>(null);
  const region = ref ?? own;
  const widths = virtual?.widths;
  useEdges(region);
  return (
    <section
      ref={region}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll region takes the focus (WCAG 2.1.1)
      tabIndex={0}
      // The header and the pinned column never cover the focus (WCAG 2.4.11).
      className={`group/table scroll-pt-11 scroll-pb-2 overflow-auto -outline-offset-2 md:scroll-pr-16 md:scroll-pl-60 ${virtual === undefined ? heights.plain : heights.virtual}`}
    >
      <table
        aria-label={label}
        aria-busy={busy}
        aria-rowcount={virtual === undefined ? undefined : virtual.rows + 1}
        className={`w-full border-separate border-spacing-0 text-base transition-opacity delay-150 aria-busy:opacity-60 ${widths === undefined ? '' : 'table-fixed'}`}
      >
        {widths !== undefined && (
          <colgroup>
            {widths.map((width, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a width belongs to its position
              <col key={index} style={{ width }} />
            ))}
          </colgroup>
        )}
        {children}
      </table>
    </section>
  );
}

/** Marks a scroll region with `data-scrolled` when content is hidden on its left, and `data-more` on its right. */
function useEdges(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = region.current;
    if (element === null) return undefined;
    const mark = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      element.toggleAttribute('data-scrolled', scrollLeft > 0);
      element.toggleAttribute('data-more', scrollLeft + clientWidth < scrollWidth - 1);
    };
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

/**
 * Column widths as the browser laid out the first rows, so that they do not jump while scrolling. Measured again when
 * `key` (columns, density) or the width of the region changes.
 * @returns undefined until measured, or when widths are not fixed
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
