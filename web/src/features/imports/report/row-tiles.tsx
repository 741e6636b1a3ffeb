import { importActions, type ImportCounts, type UndoCounts } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { CircleAlert, CircleCheck, Equal, List, Lock, Pencil } from 'lucide-react';
import type { actionLooks } from '../import-labels.ts';
import type { RowFilter } from '../import-search.ts';

const icons = {
  all: List,
  created: CircleCheck,
  updated: Pencil,
  unchanged: Equal,
  failed: CircleAlert,
  kept: Lock,
} as const satisfies Record<RowFilter, unknown>;

const tones = {
  all: 'text-muted',
  created: 'text-success',
  updated: 'text-info',
  unchanged: 'text-muted',
  failed: 'text-danger',
  kept: 'text-warning',
} as const satisfies Record<RowFilter, string>;

interface RowTilesProps {
  counts: ImportCounts;
  undo: UndoCounts | null;
  looks: ReturnType<typeof actionLooks>;
  value: RowFilter;
  onChange: (filter: RowFilter) => void;
}

/** The counts of the rows; each shows its rows below. */
export function RowTiles({ counts, undo, looks, value, onChange }: RowTilesProps) {
  const shown: readonly RowFilter[] = [
    'all',
    ...importActions.filter((one) => one !== 'kept' || undo !== null),
  ];
  const countOf = (filter: RowFilter): number => {
    if (filter === 'all') return counts.rows;
    return filter === 'kept' ? (undo?.kept ?? 0) : counts[filter];
  };
  return (
    <fieldset
      aria-label="Rows by outcome"
      className={`grid grid-cols-2 gap-3 sm:grid-cols-3 ${undo === null ? 'lg:grid-cols-5' : 'lg:grid-cols-6'}`}
    >
      {shown.map((filter) => {
        const Icon = icons[filter];
        const isOn = filter === value;
        return (
          <button
            key={filter}
            type="button"
            aria-pressed={isOn}
            onClick={() => onChange(filter)}
            className={`flex flex-col gap-1 rounded border px-4 py-3 text-left transition-colors ${
              isOn ? 'border-accent bg-accent-soft' : 'bg-surface hover:border-line-strong'
            }`}
          >
            <span className="flex items-center gap-1.5 text-sm text-muted">
              <Icon aria-hidden size={14} className={tones[filter]} />
              {filter === 'all' ? 'All rows' : looks[filter].label}
            </span>{' '}
            <span className="text-2xl font-semibold tracking-tight tabular-nums">
              {formatCount(countOf(filter))}
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}
