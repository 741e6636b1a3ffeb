import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, type ReactNode, type Ref, type RefObject } from 'react';
import type { Density } from '../../lib/list/list-layout.ts';

interface VirtualRowsProps {
  count: number;
  density: Density;
  /** Number of cells of a row, for the spacers. */
  columns: number;
  scroll: RefObject<HTMLElement | null>;
  /** Receives the function that scrolls to a row. */
  reveal: RefObject<(index: number) => void>;
  children: (index: number, measure: Ref<HTMLTableRowElement>) => ReactNode;
}

/** Height of a one-line row in pixels. */
const heights = { comfortable: 41, compact: 33 } as const;
const head = 36;

/** Renders the visible rows and a few around them; two spacer rows replace the others. */
export function VirtualRows({ count, density, columns, scroll, reveal, children }: VirtualRowsProps) {
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized, and the children are not either
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => heights[density],
    scrollMargin: head,
    scrollPaddingStart: head,
    overscan: 12,
  });
  useEffect(() => virtual.measure(), [density, virtual]);
  useEffect(() => {
    reveal.current = (index) => virtual.scrollToIndex(index, { align: 'auto' });
  }, [reveal, virtual]);

  const items = virtual.getVirtualItems();
  const before = (items[0]?.start ?? head) - head;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? head) - head);
  return (
    <>
      <Spacer height={before} columns={columns} />
      {items.map(({ index }) => children(index, virtual.measureElement))}
      <Spacer height={after} columns={columns} />
    </>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a spacer, hidden from screen readers */}
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}
