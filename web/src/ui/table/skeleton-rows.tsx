import type { Density } from '../../lib/list/list-layout.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import { cellStyle } from './table-style.ts';
import type { ColumnMeta } from './list-columns.ts';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';

interface SkeletonRowsProps {
  columns: readonly Partial<ColumnMeta>[];
  rows: number;
  density?: Density;
}

/** Number of rows that fill a screen; more would not be visible. */
const most = 30;

/** Placeholder rows of the same size as real rows; invisible for the first 150 ms. */
export function SkeletonRows({ columns, rows, density }: SkeletonRowsProps) {
  const shown = useDelayed(true);
  return Array.from({ length: Math.min(rows, most) }, (_, row) => (
    <tr key={row} aria-hidden>
      {columns.map(({ label, from, align }, column) => (
        <td key={label ?? column} className={cellStyle({ from, align, density })}>
          {shown && (
            <Skeleton width={label === undefined ? '16px' : `${40 + ((row * 3 + column * 7) % 5) * 10}%`} />
          )}
        </td>
      ))}
    </tr>
  ));
}
