import type { ReactNode } from 'react';
import type { ColumnMeta } from './list-columns.ts';
import { sortDirection, type Sort } from './sort.ts';
import { SortHeader } from './sort-header.tsx';
import { headCellStyle, type Pinned } from './table-style.ts';
import { VisuallyHidden } from '../text/visually-hidden.tsx';

interface HeadCellProps {
  id: string;
  meta: ColumnMeta | undefined;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Stays in place while the others scroll. */
  pinned?: Pinned | undefined;
  /** Beside the label, such as the filter of the column. */
  tool?: ReactNode;
}

/** Header of a column; of a sortable one, a button and the direction in `aria-sort`. */
export function HeadCell({ id, meta, sort, onSort, pinned, tool }: HeadCellProps) {
  const { label = id, hideLabel, align, from, rowHeader, sortable = false } = meta ?? {};
  const className = headCellStyle({ align, from, grow: rowHeader, pinned });
  let content: ReactNode = hideLabel === true ? <VisuallyHidden>{label}</VisuallyHidden> : label;
  if (sortable) {
    content = (
      <SortHeader column={id} sort={sort} onSort={onSort} align={align}>
        {label}
      </SortHeader>
    );
  }
  return (
    <th scope="col" aria-sort={sortable ? sortDirection(sort, id) : undefined} className={className}>
      {tool === undefined ? (
        content
      ) : (
        <span className={`inline-flex items-center gap-0.5 ${align === 'right' ? 'flex-row-reverse' : ''}`}>
          {content}
          {tool}
        </span>
      )}
    </th>
  );
}
