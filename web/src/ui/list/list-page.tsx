import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { usePendingRecords } from '../../lib/entity/pending-records.ts';
import { useFocusAfterDeletion } from '../../lib/entity/row-focus.ts';
import { formatRelative } from '../../lib/format/format.ts';
import { useNow } from '../../lib/hooks/use-now.ts';
import { cleared } from '../../lib/list/list-filter.ts';
import { changed, type AnyListState, type ListState } from '../../lib/list/list-state.ts';
import { useLiveState } from '../../lib/live/live-state.ts';
import { Button } from '../button/button.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { Notice } from '../feedback/notice.tsx';
import { SearchField } from '../input/search-field.tsx';
import { DataTable } from '../table/data-table.tsx';
import { ColumnsButton, useColumns } from './columns.tsx';
import type { ListView } from './define-list-view.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilterMenu, HeadFilter } from './filter/filter-buttons.tsx';
import { FilterChips, narrowingText } from './filter/filter-chips.tsx';
import type { HowChanged, ListControl } from './list-control.ts';
import { Pager } from './pager.tsx';
import { isPristine } from './saved-view.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useOpenView } from './use-open-view.ts';
import { useSelection, type Selected } from './use-selection.ts';
import { ViewsMenu } from './views-menu.tsx';

/** The parts of React Query's result that a list uses. */
interface ListResult<R> {
  readonly data: R | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
  readonly isFetching: boolean;
  /** Milliseconds since the epoch. */
  readonly dataUpdatedAt: number;
  refetch(): unknown;
}

interface ListPageProps<Row extends object, State extends ListState, R> {
  view: ListView<Row, State, R>;
  query: ListResult<R>;
  /** URL state. */
  search: State;
  onSearch: (search: State, how?: HowChanged) => void;
  /** Content of the empty state of an unfiltered list. */
  empty: { icon: ReactNode; description: ReactNode; action?: ReactNode };
  /** Labels of the active extra filters by name, such as `{ fileId: 'File: apt29.json' }`. */
  extraLabels?: Readonly<Record<string, string>>;
  /** Called when a row is clicked or Enter is pressed on it. */
  onOpen?: (row: Row) => void;
  /** The row that is open beside the list: it is marked, and J and K open the next one. */
  openId?: string | undefined;
  /** Buttons for the selected rows, created outside the component; absent: rows cannot be selected. */
  bulk?: (selected: Selected) => ReactNode;
  /** Shown next to the search field. */
  tools?: ReactNode;
  /** Shown between the search field and the table. */
  banner?: ReactNode;
  /** Path parameters of lists below a record. */
  params?: Record<string, string>;
}

const noLabels = {};
const noRows: readonly never[] = [];

/** A list with search, filters, columns, views, selection, paging and export; see `defineListView`. */
export function ListPage<Row extends object, State extends ListState, R extends { total: number }>({
  query,
  empty,
  extraLabels = noLabels,
  onOpen,
  openId,
  bulk,
  tools,
  banner,
  params,
  ...props
}: ListPageProps<Row, State, R>) {
  const view = props.view as unknown as ListView<Row, AnyListState, R>;
  const state = props.search as unknown as AnyListState;
  const onApply = (next: AnyListState, how?: HowChanged) => props.onSearch(next as unknown as State, how);

  function onState(next: AnyListState, how?: HowChanged): void {
    // Removing the last filter closes the view, because a URL with only the view would restore its filters.
    const left = next.view !== undefined && isPristine(view, next) && !isPristine(view, state);
    onApply(left ? { ...next, view: undefined } : next, how);
  }

  const list = { view, state, onState, params } as unknown as ListControl;
  const box = useRef<HTMLDivElement>(null);
  const openView = useOpenView(list, (next) => onApply(next, { replace: true }));
  const { layout } = openView;
  const columns = useColumns(view.columns, layout);
  const { data, error } = query;
  const rows = useMemo(() => (data === undefined ? undefined : view.rows(data)), [data, view]);
  const listed = usePendingRecords(rows ?? noRows, view, state);
  const total = Math.max(0, (data?.total ?? 0) - listed.hiddenCount);
  const selection = useSelection(view, { state, rows: rows && listed.saved, total });
  const shown = rows === undefined && listed.pending.size === 0 ? undefined : listed.rows;
  useFocusAfterDeletion(box, view.noun, rows && shown?.map(view.row.id));

  // The last page may no longer exist after deletions.
  const pages = Math.max(1, Math.ceil(total / state.pageSize));
  const beyond = data !== undefined && !query.isPlaceholderData && state.page > pages;
  useEffect(() => {
    if (beyond) onApply({ ...state, page: pages }, { replace: true });
  });

  const narrowed = narrowingText(list, extraLabels);
  // Nothing to search, filter, arrange or export.
  const isBare = narrowed === '' && data !== undefined && !query.isPlaceholderData && total === 0;
  const { data: unfiltered } = useQuery({ ...view.all(params), enabled: narrowed !== '' });
  const reset = () => onState(cleared(view.fields, state, view.extra));
  const refetch = () => void query.refetch();
  const failed = error !== null && error !== undefined && data === undefined;
  const fields = columns.flatMap(({ id }) => view.columns.find((one) => one.id === id)?.shows ?? []);
  const headTools = Object.fromEntries(
    view.filters.map((name) => [name, <HeadFilter key={name} list={list} name={name} />]),
  );

  return (
    <div ref={box} className="@container/list min-w-0 overflow-clip rounded border bg-surface">
      {!isBare && (
        <div className="flex flex-wrap items-center gap-2 border-b px-4 py-3">
          {view.texts.search !== undefined && (
            <SearchField
              label={view.texts.search}
              placeholder={view.texts.search}
              value={state.search}
              // One step back in the browser removes the whole search.
              onChange={(text) => onState(changed(state, { search: text }), { replace: state.search !== '' })}
            />
          )}
          {view.filters.length > 0 && <FilterMenu list={list} />}
          {tools}
          <span className="grow" />
          {view.saved && <ViewsMenu list={list} openView={openView} onApply={onApply} />}
          <ColumnsButton columns={view.columns} layout={layout} onLayout={openView.setLayout} />
          <ExportMenu list={list} columns={fields} total={total} />
        </div>
      )}
      <ViewNotice {...openView} />
      <FilterChips
        list={list}
        extraLabels={extraLabels}
        total={query.isPlaceholderData ? undefined : data?.total}
        all={unfiltered?.total}
      />
      {banner}
      <DataTable<Row>
        label={view.label}
        columns={columns}
        rows={shown}
        pending={listed.pending}
        rowId={view.row.id}
        sort={state.sort}
        standardSort={view.initial.sort}
        onSort={(sort) => onState(changed(state, { sort }))}
        busy={query.isPlaceholderData}
        skeletonRows={state.pageSize}
        density={layout.density}
        pinned={layout.pinned}
        headTools={headTools}
        onOpen={onOpen}
        openId={openId}
        keys
        selection={bulk === undefined ? undefined : selection.table}
        keepHead={narrowed !== ''}
        failure={failed ? { title: view.texts.failure, error, onRetry: refetch } : undefined}
        empty={
          narrowed === '' ? (
            <EmptyState title={view.texts.empty} {...empty} />
          ) : (
            <EmptyState
              icon={empty.icon}
              title={view.texts.narrowed ?? view.texts.empty}
              description={narrowed}
              action={<Button onClick={reset}>Clear filters</Button>}
            />
          )
        }
      />
      {bulk !== undefined && (
        <SelectionBar selection={selection} total={total} shown={listed.saved.length}>
          {bulk(selection.selected)}
        </SelectionBar>
      )}
      <Freshness query={query} failure={view.texts.failure} />
      {total > 0 && (
        <Pager
          page={state.page}
          pageSize={state.pageSize}
          pageSizes={view.pageSizes}
          total={total}
          onPage={(page) => onState({ ...state, page })}
          onPageSize={(pageSize) => onState(changed(state, { pageSize }))}
        />
      )}
    </div>
  );
}

/** Problems of the view in the URL. */
function ViewNotice({
  open,
  isMissing,
  unknown,
}: Pick<ReturnType<typeof useOpenView>, 'open' | 'isMissing' | 'unknown'>) {
  if (!isMissing && unknown.length === 0) return null;
  return (
    <output className="block border-b px-4 py-2">
      <Notice tone="warning">
        {isMissing
          ? 'This view no longer exists or belongs to another organization.'
          : `“${open?.name ?? ''}” contains unknown columns or filters: ${unknown.join(', ')}. They are ignored.`}
      </Notice>
    </output>
  );
}

/** Milliseconds after which rows without live updates count as old. */
const oldAfter = 60_000;

/** Shows the age of the rows when the live connection is lost or a refresh failed. */
function Freshness<R>({ query, failure }: { query: ListResult<R>; failure: string }) {
  const live = useLiveState();
  const now = useNow();
  const failed = query.error !== null && query.error !== undefined;
  if (query.data === undefined) return null;
  if (!failed && (live === 'live' || now - query.dataUpdatedAt < oldAfter)) return null;
  const when = formatRelative(new Date(query.dataUpdatedAt).toISOString(), now);
  return (
    <output className="flex flex-wrap items-center gap-2 border-t px-4 py-1.5 text-sm text-muted">
      {failed && <span className="text-danger">{failure}</span>}
      <span>Updated {when}.</span>
      <Button size="sm" variant="ghost" busy={query.isFetching} onClick={() => void query.refetch()}>
        {failed ? 'Retry' : 'Refresh'}
      </Button>
    </output>
  );
}
