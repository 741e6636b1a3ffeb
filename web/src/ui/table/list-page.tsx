import { useEffect, type ReactNode } from 'react';
import { changed, type AnyListState, type ListState } from '../../lib/list-state.ts';
import { DataTable } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Pager } from '../pager.tsx';
import { SearchField } from '../search-field.tsx';
import type { ListView } from './define-list-view.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection, type Selected } from './use-selection.ts';

/** What a list needs of the query behind it; React Query's result has it all. */
export interface ListResult<R> {
  readonly data: R | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
  readonly isFetching: boolean;
  /** Milliseconds since the epoch. */
  readonly dataUpdatedAt: number;
  refetch(): unknown;
}

/** Whether the change takes the place of the last one in the browser's history. */
export interface HowChanged {
  replace?: boolean;
}

export interface ListPageProps<Row extends object, State extends ListState, R> {
  view: ListView<Row, State, R>;
  query: ListResult<R>;
  /** State of the address. */
  search: State;
  onSearch: (search: State, how?: HowChanged) => void;
  /** What to do when there is nothing at all. */
  empty: { icon: ReactNode; description: ReactNode; action?: ReactNode };
  /** Words of the extra filters that are set, by their name, such as `{ fileId: 'File: apt29.json' }`. */
  extraWords?: Readonly<Record<string, string>>;
  /** Opens a row: by click on it, and by Enter. */
  onOpen?: (row: Row) => void;
  /** Buttons of what can be done with selected rows; absent: rows cannot be selected. */
  bulk?: (selected: Selected) => ReactNode;
  /** Beside the search. */
  tools?: ReactNode;
  /** Between the search and the table. */
  banner?: ReactNode;
  /** Path parameters, of lists below a record. */
  params?: Record<string, string>;
}

/** A list with everything that goes with it; see `defineListView`. */
export function ListPage<Row extends object, State extends ListState, R extends { total: number }>(
  props: ListPageProps<Row, State, R>,
) {
  const view = props.view as unknown as ListView<Row, AnyListState, R>;
  const state = props.search as unknown as AnyListState;
  const { query, empty, bulk } = props;
  const { data } = query;
  const onState = (next: AnyListState, how?: HowChanged) => props.onSearch(next as unknown as State, how);
  const rows = data === undefined ? undefined : view.rows(data);
  const total = data?.total ?? 0;
  const selection = useSelection(view, { state, rows, total });
  return (
    <div className="min-w-0 overflow-clip rounded border bg-surface">
      {view.texts.search !== undefined && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-3">
          <SearchField
            label={view.texts.search}
            placeholder={view.texts.search}
            value={state.search}
            onChange={(text) => onState(changed(state, { search: text }))}
          />
          {props.tools}
        </div>
      )}
      {props.banner}
      <DataTable<Row>
        label={view.label}
        columns={view.columns.map(({ column }) => column)}
        rows={rows}
        rowId={view.row.id}
        sort={state.sort}
        onSort={(sort) => onState(changed(state, { sort }))}
        busy={query.isPlaceholderData}
        skeletonRows={state.pageSize}
        selection={bulk === undefined ? undefined : selection.table}
        failure={
          query.error && data === undefined
            ? { title: view.texts.failure, error: query.error, onRetry: () => void query.refetch() }
            : undefined
        }
        empty={<EmptyState title={view.texts.empty} {...empty} />}
      />
      {bulk !== undefined && (
        <SelectionBar selection={selection} total={total} shown={rows?.length ?? 0}>
          {bulk(selection.selected)}
        </SelectionBar>
      )}
      {total > 0 && (
        <Pager
          page={state.page}
          pageSize={state.pageSize}
          pageSizes={view.pageSizes}
          total={total}
          onPage={(page) => onState(changed(state, { page }))}
          onPageSize={(pageSize) => onState(changed(state, { pageSize }))}
        />
      )}
    </div>
  );
}
