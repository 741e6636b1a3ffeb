import { useRef } from 'react';
import { useStable } from '../../lib/hooks/use-stable.ts';
import type { ListSelection } from './list-columns.ts';

const nothing: ListSelection = {};

function withRows(value: ListSelection, ids: readonly string[], checked: boolean): ListSelection {
  const kept = Object.entries(value).filter(([id]) => !ids.includes(id));
  return Object.fromEntries(checked ? [...kept, ...ids.map((id) => [id, true] as const)] : kept);
}

/**
 * Selection of a table's rows by checkboxes. Rows of other pages stay selected.
 * @param ids ids of the rows that can be selected, in their order
 */
export function useRowSelection(
  ids: readonly string[],
  { value = nothing, onChange }: { value?: ListSelection; onChange?: (value: ListSelection) => void },
) {
  const last = useRef<string>(undefined);
  const count = ids.filter((id) => value[id] === true).length;
  return {
    /** `mixed`: some rows of the page are selected. */
    all: count > 0 && count < ids.length ? ('mixed' as const) : count > 0,
    isSelected: (id: string): boolean => value[id] === true,
    toggleAll: (checked: boolean) => onChange?.(withRows(value, ids, checked)),
    /** With Shift the rows from the one that changed last to this one change too. */
    toggle: useStable((id: string, checked: boolean, shiftKey: boolean) => {
      const [from, to] = [ids.indexOf(last.current ?? ''), ids.indexOf(id)];
      const isRange = shiftKey && from !== -1;
      last.current = id;
      const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
      onChange?.(withRows(value, isRange ? range : [id], checked));
    }),
  };
}
