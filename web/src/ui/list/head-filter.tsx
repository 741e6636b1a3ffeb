import { ListFilter } from 'lucide-react';
import { filterOf, isFiltered } from '../../lib/list/list-filter.ts';
import { FilterPopover } from './filter-popover.tsx';
import type { ListControl } from './list-control.ts';

interface HeadFilterProps {
  list: ListControl;
  name: string;
}

/** The filter of a column, in its head; a filter that is set shows. */
export function HeadFilter({ list, name }: HeadFilterProps) {
  const set = isFiltered(filterOf(list.state, name));
  const label = list.view.fields[name]?.label ?? name;
  return (
    <FilterPopover
      list={list}
      name={name}
      trigger={
        <button
          type="button"
          aria-label={set ? `Filter ${label}, set` : `Filter ${label}`}
          className={`-mx-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded hover:bg-hover hover:text-text data-popup-open:bg-hover data-popup-open:text-text ${set ? 'text-accent-text' : ''}`}
        >
          <ListFilter aria-hidden size={12} strokeWidth={set ? 3 : 2} />
        </button>
      }
    />
  );
}
