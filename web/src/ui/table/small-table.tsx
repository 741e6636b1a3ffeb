import type { ReactNode } from 'react';

interface SmallTableProps {
  /** Name of the table. */
  label: string;
  columns: readonly { label: string; align?: 'right' }[];
  /** `tbody` and `tfoot`. */
  children: ReactNode;
}

/** A table inside a dialog or a card. A `PlainTable` keeps its header below the top bar of the page. */
export function SmallTable({ label, columns, children }: SmallTableProps) {
  return (
    <table aria-label={label} className="w-full text-sm">
      <thead className="text-left text-xs text-muted">
        <tr>
          {columns.map((column) => (
            <th
              key={column.label}
              scope="col"
              className={`py-1.5 pr-3 font-medium last:pr-0 ${column.align === 'right' ? 'text-right' : ''}`}
            >
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  );
}
