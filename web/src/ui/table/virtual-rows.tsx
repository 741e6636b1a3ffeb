import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, type ReactNode, type Ref, type RefObject } from 'react';
import type { Density } from '../../lib/list/list-layout.ts';

interface VirtualRowsProps {
  count: number;
  density: Density;
  /** Cells of a row, for the spacers. */
  columns: number;
  scroll: RefObject<HTMLElement | null>;
  /** Set to what brings a row into sight. */
  reveal: RefObject<(index: number) => void>;
  children: (index: number, measure: Ref<HTMLTableRowElement>) => ReactNode;
}

/** Pixels of a row of one line. */
const heights = { comfortable: 41, compact: 33 } as const;
const head = 36;

/** The rows in sight and a few around them; the others are two empty rows of their height. */
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
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- room, and hidden from readers */}
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}
