import { Skeleton } from './skeleton.tsx';
import { cellStyle } from './table-style.ts';
import type { ColumnMeta } from './list-columns.ts';
import { useDelayed } from './use-delayed.ts';

interface SkeletonRowsProps {
  columns: readonly Partial<ColumnMeta>[];
  rows: number;
}

/** Rows of the geometry of those to come; invisible for the first 150 ms. */
export function SkeletonRows({ columns, rows }: SkeletonRowsProps) {
  const shown = useDelayed(true);
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden>
      {columns.map(({ label, from, align }, column) => (
        <td key={label ?? column} className={cellStyle({ from, align })}>
          {shown && (
            <Skeleton width={label === undefined ? '16px' : `${40 + ((row * 3 + column * 7) % 5) * 10}%`} />
          )}
        </td>
      ))}
    </tr>
  ));
}
