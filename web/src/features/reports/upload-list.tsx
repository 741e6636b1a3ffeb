import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { Upload } from './upload.ts';
import { UploadRow } from './upload-row.tsx';

/** Least height of a row; a long reason makes it higher, and what is drawn is measured. */
const rowHeight = 56;

/** Every chosen file; only what is in view is drawn, so that thousands cost no more than ten. */
export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  const frame = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const list = useVirtualizer({
    count: uploads.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => uploads[index]?.id ?? index,
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
          const upload = uploads[index];
          if (upload === undefined) return null;
          return (
            <li
              key={key}
              ref={list.measureElement}
              data-index={index}
              aria-setsize={uploads.length}
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
