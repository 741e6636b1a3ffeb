import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef } from 'react';
import { failuresFirst, type Upload } from './transfer/upload.ts';
import { UploadRow } from './upload-row.tsx';

/** Minimum height of a row in pixels; a long reason makes it higher. */
const rowHeight = 56;

/** The chosen files, failures first. Only visible rows are rendered, because a list may have thousands. */
export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  const shown = useMemo(() => failuresFirst(uploads), [uploads]);
  // The list measures all rows again when this function changes.
  const keyOf = useCallback((index: number) => shown[index]?.id ?? index, [shown]);
  const frame = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const list = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    measureElement: (row) => Math.max(rowHeight, row.getBoundingClientRect().height),
    overscan: 6,
  });
  return (
    <section
      ref={frame}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll region must take the focus (WCAG 2.1.1)
      tabIndex={0}
      aria-label="Chosen files"
      className="max-h-70 overflow-y-auto rounded border"
    >
      <ul aria-label="Chosen files" className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, key, start }) => {
          const upload = shown[index];
          if (upload === undefined) return null;
          return (
            <li
              key={key}
              ref={list.measureElement}
              data-index={index}
              aria-setsize={shown.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 border-b last:border-b-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <UploadRow upload={upload} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
