import { ListFilter } from 'lucide-react';
import { lazy, useState } from 'react';
import { filteredFields } from '../../lib/list/list-filter.ts';
import { Button } from '../button/button.tsx';
import { Popover } from '../popup/popover.tsx';
import type { ListControl } from './list-control.ts';

const FilterPanel = lazy(async () => ({ default: (await import('./filter-panel.tsx')).FilterPanel }));

/** Every field that the list can be narrowed by, also those whose column is not in sight. */
export function FilterMenu({ list }: { list: ListControl }) {
  const { view, state } = list;
  const [open, setOpen] = useState(false);
  const [name, setName] = useState<string>();
  const set = new Set(filteredFields(view.fields, state));

  function onOpenChange(next: boolean): void {
    setOpen(next);
    if (next) setName(undefined);
  }

  return (
    <Popover
      label="Filters"
      width={320}
      open={open}
      onOpenChange={onOpenChange}
      trigger={<Button icon={<ListFilter aria-hidden size={14} />}>Filter</Button>}
    >
      {name === undefined ? (
        <ul aria-label="Fields" className="p-1">
          {view.filters.map((field) => (
            <li key={field}>
              <button
                type="button"
                onClick={() => setName(field)}
                className="flex min-h-8 w-full items-center justify-between gap-3 rounded px-2 text-left text-sm hover:bg-hover"
              >
                {view.fields[field]?.label ?? field}{' '}
                {set.has(field) && <span className="text-xs text-accent-text">set</span>}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <FilterPanel key={name} list={list} name={name} onBack={() => setName(undefined)} />
      )}
    </Popover>
  );
}
