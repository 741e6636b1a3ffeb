import { useState } from 'react';
import type { AnyListState } from '../../lib/list/list-state.ts';
import type { ListSelection } from '../table/list-columns.ts';
import { toast } from '../feedback/toast.ts';
import type { ListView } from './define-list-view.ts';

/** What is selected, as bulk actions need it. */
export interface Selected {
  /** Exact; of all that match, what the list counts. */
  readonly count: number;
  /** As the contract's bulk calls take it: these rows, or all that match. */
  readonly selection: { ids: string[] } | { filter: Record<string, unknown> };
  /** Names of the selected rows that were seen, at most `count`. */
  readonly names: readonly string[];
  readonly clear: () => void;
}

/** Rows that a bulk call takes by id (contract, `selection`). */
const mostIds = 1000;

interface Kept {
  /** Names by id. */
  readonly ids: ReadonlyMap<string, string>;
  /** Filter under which all that match are selected. */
  readonly all?: string;
}

const nothing: Kept = { ids: new Map() };

interface Listed<Row extends object> {
  state: AnyListState;
  rows: readonly Row[] | undefined;
  total: number;
}

/**
 * Selected rows of a list. Single ones last over pages, searches and sorting; 'all that match' ends with the filter
 * under which it was chosen, because other rows would match another.
 */
export function useSelection<Row extends object, R>(
  view: ListView<Row, AnyListState, R>,
  { state, rows = [], total }: Listed<Row>,
) {
  const [kept, setKept] = useState<Kept>(nothing);
  const filter = view.filter(state);
  const key = JSON.stringify(filter);
  const all = kept.all === key;
  const named = (row: Row) => [view.row.id(row), view.row.name(row)] as const;
  const here = new Map(rows.map(named));
  const value: ListSelection = Object.fromEntries(
    [...(all ? here : kept.ids).keys()].map((id) => [id, true] as const),
  );

  function onChange(next: ListSelection): void {
    const ids = Object.keys(next).filter((id) => next[id] === true);
    if (ids.length > mostIds) {
      toast.info(
        'At most 1,000 rows can be selected one by one.',
        'Narrow the list with filters and select all that match.',
      );
      return;
    }
    setKept({ ids: new Map(ids.map((id) => [id, here.get(id) ?? kept.ids.get(id) ?? ''])) });
  }

  const ids = [...kept.ids.keys()];
  const names = [...(all ? here : kept.ids).values()].filter((name) => name !== '');
  const selected: Selected = {
    count: all ? total : ids.length,
    selection: all ? { filter } : { ids },
    names: names.slice(0, all ? total : ids.length),
    clear: () => setKept(nothing),
  };
  return {
    selected,
    table: { value, onChange, name: view.row.name },
    all,
    /** Every row of this page is selected, and there are more that match. */
    wholePage: !all && here.size > 0 && total > here.size && [...here.keys()].every((id) => kept.ids.has(id)),
    selectAll: () => setKept({ ids: new Map(), all: key }),
  };
}

export type ListSelectionState = Omit<ReturnType<typeof useSelection>, 'table'>;
