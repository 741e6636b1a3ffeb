import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ColumnMeta } from './list-columns.ts';
import { nextSort, sortDirection, type Sort } from './sort.ts';
import { columnStyle } from './column-widths.ts';
import { headCellStyle, type Pinned } from './table-style.ts';

interface HeadCellProps {
  id: string;
  meta: ColumnMeta | undefined;
  sort: Sort;
  /** The list's default sort. */
  standardSort: Sort;
  onSort: (sort: Sort) => void;
  /** Does not scroll sideways. */
  pinned?: Pinned | undefined;
  /** Content next to the label, such as the column's filter. */
  tool?: ReactNode;
}

/** Header of a column; a sortable one has a button and its direction in `aria-sort`. */
export function HeadCell({ id, meta, sort, standardSort: standard, onSort, pinned, tool }: HeadCellProps) {
  const { label = id, hideLabel, align, from, sortable = false, descendingFirst = false } = meta ?? {};
  const className = headCellStyle({ align, from, pinned });
  let content: ReactNode = hideLabel === true ? <VisuallyHidden>{label}</VisuallyHidden> : label;
  if (sortable) {
    content = (
      <SortHeader
        direction={sortDirection(sort, id)}
        align={align}
        onClick={() => onSort(nextSort(sort, { column: id, descendingFirst, standard }))}
      >
        {label}
      </SortHeader>
    );
  }
  return (
    <th
      scope="col"
      aria-sort={sortable ? sortDirection(sort, id) : undefined}
      className={className}
      style={columnStyle(meta)}
    >
      {tool === undefined ? (
        content
      ) : (
        <span className={`inline-flex items-center gap-0.5 ${align === 'right' ? 'flex-row-reverse' : ''}`}>
          {content}
          <span className="contents print:hidden">{tool}</span>
        </span>
      )}
    </th>
  );
}

interface SortHeaderProps {
  direction: ReturnType<typeof sortDirection>;
  /** Labels of numeric columns are right-aligned with the numbers. */
  align?: 'left' | 'right' | undefined;
  onClick: () => void;
  children: ReactNode;
}

const icons = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown } as const;

/** The button inside a sortable `th`; the `th` itself carries `aria-sort`. */
function SortHeader({ direction, align = 'left', onClick, children }: SortHeaderProps) {
  const Icon = icons[direction];
  return (
    <button
      type="button"
      onClick={onClick}
      className={`-mx-1 inline-flex h-6 items-center gap-0.5 rounded px-1 hover:text-text ${align === 'right' ? 'flex-row-reverse' : ''} ${direction === 'none' ? '' : 'font-semibold text-text'}`}
    >
      {children}
      <Icon aria-hidden size={12} className={direction === 'none' ? 'print:hidden' : ''} />
    </button>
  );
}

/** Text for screen readers only. */
function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
