import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ColumnMeta } from './list-columns.ts';
import { headCellStyle, type Pinned } from './table-style.ts';

interface HeadCellProps {
  id: string;
  meta: ColumnMeta | undefined;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Does not scroll sideways. */
  pinned?: Pinned | undefined;
  /** Content next to the label, such as the column's filter. */
  tool?: ReactNode;
}

/** Header of a column; a sortable one has a button and its direction in `aria-sort`. */
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

interface SortHeaderProps {
  column: string;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Labels of numeric columns are right-aligned with the numbers. */
  align?: 'left' | 'right' | undefined;
  children: ReactNode;
}

const icons = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown } as const;

/** The button inside a sortable `th`; the `th` itself carries `aria-sort`. */
function SortHeader({ column, sort, onSort, align = 'left', children }: SortHeaderProps) {
  const direction = sortDirection(sort, column);
  const Icon = icons[direction];
  return (
    <button
      type="button"
      onClick={() => onSort(nextSort(sort, column))}
      className={`-mx-1 inline-flex h-6 items-center gap-0.5 rounded px-1 hover:text-text ${align === 'right' ? 'flex-row-reverse' : ''} ${direction === 'none' ? '' : 'text-text'}`}
    >
      {children}
      <Icon aria-hidden size={12} className={direction === 'none' ? 'opacity-60' : ''} />
    </button>
  );
}

/** A sort parameter of the API: a column; a leading `-` means descending (contract, HTTP). */
export type Sort = string;

/** Direction in which `column` is sorted, for `aria-sort`. */
function sortDirection(sort: Sort, column: string): 'ascending' | 'descending' | 'none' {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : 'none';
}

/** The sort after a click on the header of `column`. */
const nextSort = (sort: Sort, column: string): Sort => (sort === column ? `-${column}` : column);

/** Text for screen readers only. */
function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
