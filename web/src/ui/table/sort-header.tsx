import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { nextSort, sortDirection, type Sort } from './sort.ts';

interface SortHeaderProps {
  column: string;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Words of numbers stand above their last figure. */
  align?: 'left' | 'right' | undefined;
  children: ReactNode;
}

const icons = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown } as const;

/** The button inside a sortable `th`; the `th` itself carries `aria-sort`. */
export function SortHeader({ column, sort, onSort, align = 'left', children }: SortHeaderProps) {
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
