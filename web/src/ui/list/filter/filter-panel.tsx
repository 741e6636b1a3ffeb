import { ChevronLeft } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import {
  filterOf,
  isFiltered,
  rangeAsLevels,
  withFilter,
  type FieldFilter,
} from '../../../lib/list/list-filter.ts';
import { Button } from '../../button/button.tsx';
import { IconButton } from '../../button/icon-button.tsx';
import type { ListControl } from '../list-control.ts';
import { ChoiceFilter } from './choice-filter.tsx';
import { RangeFilter } from './range-filter.tsx';

export interface FilterPanelProps {
  list: ListControl;
  /** Field of the list. */
  name: string;
  /** Returns to the list of fields; absent when the panel was opened from one field. */
  onBack?: () => void;
}

/** Filter of one field; changes apply at once. */
export function FilterPanel({ list, name, onBack }: FilterPanelProps) {
  const { view, state, onState } = list;
  const field = view.fields[name];
  // All changes made in one panel are one step of the browser's history.
  const changed = useRef(false);
  if (field === undefined) return null;
  const active = filterOf(state, name);
  const filter = rangeAsLevels(field, active);

  function onFilter(next: FieldFilter): void {
    onState(withFilter(state, name, next), { replace: changed.current });
    changed.current = true;
  }

  const { kind } = field;
  const parts: ReactNode[] = [];
  if (kind === 'choice' || field.values !== undefined) {
    parts.push(
      <ChoiceFilter key="choice" list={list} name={name} field={field} filter={filter} onFilter={onFilter} />,
    );
  }
  if (kind === 'number' || kind === 'day' || kind === 'time') {
    const range = { ...field, kind };
    parts.push(
      <RangeFilter
        key="range"
        list={list}
        name={name}
        field={range}
        filter={filter}
        onFilter={onFilter}
        boxOfEmpty={field.values === undefined}
      />,
    );
  }
  return (
    <div className="flex min-h-0 flex-col">
      <div className="flex h-11 shrink-0 items-center gap-1 px-3">
        {onBack !== undefined && (
          <IconButton
            label="Back to all fields"
            size="sm"
            icon={<ChevronLeft aria-hidden size={16} />}
            onClick={onBack}
          />
        )}
        <h2 className="grow truncate text-sm font-semibold">{field.label}</h2>
        {isFiltered(active) && (
          <Button size="sm" variant="ghost" onClick={() => onFilter({ values: [] })}>
            Clear
          </Button>
        )}
      </div>
      {parts}
    </div>
  );
}
