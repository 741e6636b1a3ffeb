import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import type { AnyListState } from '../../lib/list/list-state.ts';
import { useKeptState } from '../../lib/list/use-kept-state.ts';
import type { ListSelection } from '../table/list-columns.ts';
import { toast } from '../feedback/toast.ts';
import type { PathParams } from './define-list-source.ts';
import type { ListView } from './define-list-view.ts';

/** The selection for bulk actions. */
export interface Selected {
  /** Number of selected rows; for all matching rows, the list's count. */
  readonly count: number;
  /** Selection for the contract's bulk calls: ids, or a filter. */
  readonly selection: { ids: string[] } | { filter: Record<string, unknown> };
  /** Names of the selected rows that were loaded, at most `count`. */
  readonly names: readonly string[];
  /** Returns a function that selects the same rows again. */
  readonly clear: () => () => void;
}

/** Group of the palette for commands on a selection. */
export const selectionCommand = ({ count }: Selected) =>
  ({ group: 'Selection', about: plural(count, 'row') }) as const;

/** Maximum number of ids of a bulk call (contract, `selection`). */
const mostIds = 1000;

interface Kept {
  /** Names by id. */
  readonly ids: ReadonlyMap<string, string>;
  /** Filter whose matching rows are all selected. */
  readonly all?: string;
}

const nothing: Kept = { ids: new Map() };

interface Listed<Row extends object> {
  state: AnyListState;
  rows: readonly Row[] | undefined;
  total: number;
  /** There are more rows than `total`: selecting all of them counts them. */
  isCapped: boolean;
  params: PathParams | undefined;
}

/**
 * Selected rows of a list. Single rows stay selected across pages, searches and sorting; 'all matching' ends when the
 * filter changes, because other rows would match. Back from a record restores the selection.
 */
export function useSelection<Row extends object, R extends { total: number }>(
  view: ListView<Row, AnyListState, R>,
  { state, rows = [], total, isCapped, params }: Listed<Row>,
) {
  const [kept, setKept] = useKeptState(`selection ${view.route}`, nothing);
  const filter = view.filter(state);
  const key = JSON.stringify(filter);
  const all = kept.all === key;
  const exact = useQuery({ ...view.exact(state, params), enabled: all && isCapped });
  // Until the answer arrives, the query has the number of the previous filter.
  const counted = exact.isPlaceholderData ? undefined : exact.data?.total;
  const matching = isCapped ? counted : total;
  const named = (row: Row) => [view.row.id(row), view.row.name(row)] as const;
  const here = new Map(rows.map(named));
  const value: ListSelection = Object.fromEntries(
    [...(all ? here : kept.ids).keys()].map((id) => [id, true] as const),
  );

  function onChange(next: ListSelection): void {
    const ids = Object.keys(next).filter((id) => next[id] === true);
    if (ids.length > mostIds) {
      toast.info(
        'No more than 1,000 rows can be selected individually.',
        'Filter the list and select all matching rows.',
      );
      return;
    }
    setKept({ ids: new Map(ids.map((id) => [id, here.get(id) ?? kept.ids.get(id) ?? ''])) });
  }

  const ids = [...kept.ids.keys()];
  const names = [...(all ? here : kept.ids).values()].filter((name) => name !== '');
  const selected: Selected = {
    count: all ? (matching ?? total) : ids.length,
    selection: all ? { filter } : { ids },
    names: names.slice(0, all ? total : ids.length),
    clear() {
      setKept(nothing);
      return () => setKept(kept);
    },
  };
  return {
    selected,
    table: { value, onChange, name: view.row.name },
    all,
    /** All matching rows are selected, and their number is not known yet. */
    isCounting: all && matching === undefined,
    countFailed: all && matching === undefined && exact.isError,
    countAgain: () => void exact.refetch(),
    /** All rows of this page are selected, and more rows match. */
    wholePage: !all && here.size > 0 && total > here.size && [...here.keys()].every((id) => kept.ids.has(id)),
    selectAll: () => setKept({ ids: new Map(), all: key }),
  };
}

export type ListSelectionState = Omit<ReturnType<typeof useSelection>, 'table'>;
