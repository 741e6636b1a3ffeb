import type { ColumnMeta } from './list-columns.ts';
import { sortDirection, type Sort } from './sort.ts';
import { SortHeader } from './sort-header.tsx';
import { headCellStyle } from './table-style.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

interface HeadCellProps {
  id: string;
  meta: ColumnMeta | undefined;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** Header of a column; of a sortable one, a button and the direction in `aria-sort`. */
export function HeadCell({ id, meta, sort, onSort }: HeadCellProps) {
  const { label = id, hideLabel, align, from, rowHeader, sortable = false } = meta ?? {};
  const className = headCellStyle({ align, from, grow: rowHeader });
  if (!sortable) {
    return (
      <th scope="col" className={className}>
        {hideLabel === true ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </th>
    );
  }
  return (
    <th scope="col" aria-sort={sortDirection(sort, id)} className={className}>
      <SortHeader column={id} sort={sort} onSort={onSort}>
        {label}
      </SortHeader>
    </th>
  );
}
