import { lazy } from 'react';
import { Popover, type PopoverProps } from '../popup/popover.tsx';
import type { ListControl } from './list-control.ts';

// Comes when it is opened: a page that is only read needs none of it.
const FilterPanel = lazy(async () => ({ default: (await import('./filter-panel.tsx')).FilterPanel }));

interface FilterPopoverProps {
  list: ListControl;
  /** Field of the list. */
  name: string;
  trigger: PopoverProps['trigger'];
  align?: 'start' | 'end';
}

/** The filter of one field behind a button: in the head of its column, and on its chip. */
export function FilterPopover({ list, name, trigger, align }: FilterPopoverProps) {
  const label = list.view.fields[name]?.label ?? name;
  return (
    <Popover trigger={trigger} label={`Filter by ${label}`} align={align} width={320}>
      <FilterPanel list={list} name={name} />
    </Popover>
  );
}
