import { ListFilter } from 'lucide-react';
import { useEffect, useState } from 'react';
import { whenIdle } from '../../../lib/browser/when-idle.ts';
import { filteredFields, filterOf, isFiltered } from '../../../lib/list/list-filter.ts';
import { Button } from '../../button/button.tsx';
import { Popover, type PopoverProps } from '../../popup/popover.tsx';
import { idlePart } from '../../layout/idle-part.tsx';
import type { ListControl } from '../list-control.ts';
import type { FilterPanelProps } from './filter-panel.tsx';
import { useFacetPrefetch } from './use-facet.ts';

const { Part: FilterPanel, useIdleLoad } = idlePart<FilterPanelProps>(
  async () => (await import('./filter-panel.tsx')).FilterPanel,
);

/** Filters of all fields, including those whose column is hidden. */
export function FilterMenu({ list }: { list: ListControl }) {
  const { view, state } = list;
  useIdleLoad();
  const [name, setName] = useState<string>();
  const set = new Set(filteredFields(view.fields, state));

  function onOpenChange(isOpen: boolean): void {
    if (isOpen) setName(undefined);
  }

  return (
    <Popover
      label="Filters"
      width={320}
      onOpenChange={onOpenChange}
      trigger={<Button icon={<ListFilter aria-hidden size={14} />}>Filter</Button>}
    >
      {name === undefined ? (
        <ul aria-label="Fields" className="p-1">
          {view.filters.map((field) => (
            <FieldItem key={field} list={list} name={field} set={set.has(field)} onChoose={setName} />
          ))}
        </ul>
      ) : (
        <FilterPanel key={name} list={list} name={name} onBack={() => setName(undefined)} />
      )}
    </Popover>
  );
}

interface FieldItemProps {
  list: ListControl;
  name: string;
  /** The field is filtered. */
  set: boolean;
  onChoose: (name: string) => void;
}

/** A field in the filter menu. */
function FieldItem({ list, name, set, onChoose }: FieldItemProps) {
  const prefetch = useFacetPrefetch(list, name);
  return (
    <li>
      <button
        type="button"
        onClick={() => onChoose(name)}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        className="flex min-h-8 w-full items-center justify-between gap-3 rounded px-2 text-left text-sm hover:bg-hover"
      >
        {list.view.fields[name]?.label ?? name} {set && <span className="text-xs text-accent-text">set</span>}
      </button>
    </li>
  );
}

interface FilterPopoverProps {
  list: ListControl;
  /** Field of the list. */
  name: string;
  trigger: PopoverProps['trigger'];
  align?: 'start' | 'end';
}

/** Button that opens the filter of one field, in the column header and on its chip. */
export function FilterPopover({ list, name, trigger, align }: FilterPopoverProps) {
  const label = list.view.fields[name]?.label ?? name;
  return (
    <Popover trigger={trigger} label={`Filter by ${label}`} align={align} width={320}>
      <FilterPanel list={list} name={name} />
    </Popover>
  );
}

interface HeadFilterProps {
  list: ListControl;
  name: string;
}

/** Filter button of a column header; highlighted when the filter is set. */
export function HeadFilter({ list, name }: HeadFilterProps) {
  const set = isFiltered(filterOf(list.state, name));
  const prefetch = useFacetPrefetch(list, name);
  // The values of a shown column are there at the first click.
  useEffect(() => whenIdle(prefetch), [prefetch]);
  const label = list.view.fields[name]?.label ?? name;
  return (
    <FilterPopover
      list={list}
      name={name}
      trigger={
        <button
          type="button"
          onPointerEnter={prefetch}
          onFocus={prefetch}
          aria-label={set ? `Filter ${label}, set` : `Filter ${label}`}
          className={`-mx-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded hover:bg-hover hover:text-text data-popup-open:bg-hover data-popup-open:text-text ${set ? 'text-accent-text' : ''}`}
        >
          <ListFilter aria-hidden size={12} strokeWidth={set ? 3 : 2} />
        </button>
      }
    />
  );
}
