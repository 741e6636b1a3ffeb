import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, type ComponentType, type ReactNode } from 'react';
import { focusMain } from '../../lib/browser/page-focus.ts';
import { useIsPainted } from '../../lib/browser/first-paint.ts';
import { usePendingRecords } from '../../lib/entity/pending-records.ts';
import { useFocusAfterDeletion } from '../../lib/entity/row-focus.ts';
import { cleared } from '../../lib/list/list-filter.ts';
import { useUnusableFilters } from '../../lib/list/link-filters.ts';
import { changed, type AnyListState, type ListState } from '../../lib/list/list-state.ts';
import { useHeldRows } from '../../lib/list/held-rows.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { Button } from '../button/button.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { idlePart } from '../layout/idle-part.tsx';
import { InlineConflictHost } from '../record/inline-edit/inline-conflict-host.tsx';
import { SearchField } from '../input/search-field.tsx';
import { DataTable } from '../table/data-table.tsx';
import { ColumnsButton, useColumns } from './columns.tsx';
import type { ListView } from './define-list-view.ts';
import { ExportMenu, exportCommands } from './export-menu.tsx';
import { FilterMenu, HeadFilter } from './filter/filter-buttons.tsx';
import { FilterChips, narrowingText } from './filter/filter-chips.tsx';
import type { HowChanged, ListControl } from './list-control.ts';
import { Freshness, HeldNotice, LinkNotice, ViewNotice, type ListResult } from './list-notices.tsx';
import { ListAnnouncer } from './list-announcer.tsx';
import { Pager, rangeText } from './pager.tsx';
import { isPristine } from './saved-view.ts';
import type { SelectionBarProps } from './selection-bar.tsx';
import { useLastPage } from './use-last-page.ts';
import { useOpenView } from './use-open-view.ts';
import { useSelection, type Selected } from './use-selection.ts';
import { ViewsMenu } from './views-menu.tsx';

/** The pane of the open row of a list. */
export interface PaneProps {
  /** Record whose pane is open; undefined: the pane is closed. */
  id: string | undefined;
  /** Records of the list's page, in the order in which they are shown: the pane goes from one to the next. */
  rows: readonly { readonly _id: string; readonly name: string }[];
  onId: (id: string | undefined) => void;
}

/** What every list's reply has in addition to its rows. */
interface ListReply {
  total: number;
  totalIsCapped?: true | undefined;
  nextCursor?: string | null;
}

export interface ListPageProps<Row extends object, State extends ListState, R> {
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
  /** Pane of the open row: J and K open the next row. */
  pane?: { Content: ComponentType<PaneProps>; onId: PaneProps['onId'] };
  /** Buttons for the selected rows, created outside the component; absent: rows cannot be selected. */
  bulk?: (selected: Selected) => ReactNode;
  /** Shown next to the search field. */
  tools?: ReactNode;
  /** Shown between the search field and the table. */
  banner?: ReactNode;
  /** Path parameters of lists below a record. */
  params?: Record<string, string>;
}

// Shown once rows are selected: it loads after the list.
const { Part: SelectionBar } = idlePart<SelectionBarProps>(
  async () => (await import('./selection-bar.tsx')).SelectionBar,
  null,
);

const noLabels = {};
const noRows: readonly never[] = [];

/** The rows of a reply; the same array as long as the reply is the same. */
const useRows = <R, Row>({ rows }: { rows: (reply: R) => readonly Row[] }, data: R | undefined) =>
  useMemo(() => (data === undefined ? undefined : rows(data)), [data, rows]);

/** A list with search, filters, columns, views, selection, paging and export; see `defineListView`. */
export function ListPage<Row extends object, State extends ListState, R extends ListReply>({
  query,
  empty,
  extraLabels = noLabels,
  onOpen,
  openId,
  pane,
  bulk,
  tools,
  banner,
  params,
  ...props
}: ListPageProps<Row, State, R>) {
  const view = props.view as unknown as ListView<Row, AnyListState, R>;
  const state = props.search as unknown as AnyListState;
  const list = { view, state, onState, params } as unknown as ListControl;
  const openView = useOpenView(list, (next) => props.onSearch(next as unknown as State, { replace: true }));
  const onApply = (next: AnyListState, how?: HowChanged) =>
    props.onSearch(openView.chosenState(next) as unknown as State, how);

  function onState(next: AnyListState, how?: HowChanged): void {
    // Removing the last filter closes the view, because a URL with only the view would restore its filters.
    const left = next.view !== undefined && isPristine(view, next) && !isPristine(view, state);
    onApply(left ? { ...next, view: undefined } : next, how);
  }

  /** For a button that disappears with its action. */
  function focusToolbar(): void {
    const button = toolbar.current?.querySelector<HTMLElement>('button[aria-haspopup]');
    if (button == null) focusMain();
    else button.focus({ preventScroll: true });
  }

  const box = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const toolbar = useRef<HTMLDivElement>(null);
  const unusableFilters = useUnusableFilters(view, state);
  const { layout } = openView;
  const columns = useColumns(view.columns, layout);
  const { data, error } = query;
  const { row: of } = view;
  const { rows, isHeld, update } = useHeldRows({
    rows: useRows(view, data),
    idOf: of.id,
    key: JSON.stringify([view.route, params, state.page, state.pageSize, state.sort, view.filter(state)]),
    settled: !query.isPlaceholderData,
  });
  const listed = usePendingRecords(rows ?? noRows, view, state);
  const total = Math.max(0, (data?.total ?? 0) - listed.hiddenCount);
  const isCapped = data?.totalIsCapped === true;
  const selection = useSelection(view, { state, rows: rows && listed.saved, total, isCapped, params });
  const isLoading = rows === undefined && listed.pending.size === 0;
  const shown = useIsPainted() && !isLoading ? listed.rows : undefined;
  useFocusAfterDeletion(box, view.noun, rows && shown?.map(of.id));
  const named = useMemo(
    () => listed.saved.map((row) => ({ _id: of.id(row), name: of.name(row) })),
    [listed, of],
  );

  const isKnown = data !== undefined && !query.isPlaceholderData;
  // Pages after the counted ones may have rows.
  const isCounted = isKnown && (!isCapped || rows?.length === 0);
  useLastPage({ page: state.page, pageSize: state.pageSize, total: isCounted ? total : undefined }, (page) =>
    onApply({ ...state, page }, { replace: true }),
  );

  const noun = total === 1 ? view.nouns.one : view.nouns.many;
  const rowsText = `${total === 0 ? '0' : rangeText({ ...state, total, isCapped })} ${noun}`;

  const narrowed = narrowingText(list, extraLabels);
  // Nothing to search, filter, arrange or export.
  const isBare = narrowed === '' && isKnown && total === 0;
  const { data: unfiltered } = useQuery({ ...view.all(params), enabled: narrowed !== '' });
  const reset = () => {
    onState(cleared(view.fields, state, view.extra));
    focusToolbar();
  };
  const refetch = () => void query.refetch();
  const failed = error !== null && error !== undefined && data === undefined;
  // Every change of a record needs this role.
  const isViewer = useRefusal('analyst') !== undefined;
  const edits = isViewer
    ? []
    : view.columns.flatMap(({ id, label, edit }) =>
        edit === undefined ? [] : [{ key: edit, name: id, label }],
      );
  const fields = columns.flatMap(({ id }) => view.columns.find((one) => one.id === id)?.shows ?? []);
  const headTools = Object.fromEntries(
    view.filters.map((name) => [name, <HeadFilter key={name} list={list} name={name} />]),
  );

  return (
    <div
      ref={box}
      className="@container/list min-w-0 overflow-clip rounded border bg-surface print:overflow-visible"
    >
      {!isBare && (
        <div ref={toolbar} className="flex flex-wrap items-center gap-2 border-b px-4 py-3 print:hidden">
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
          <ColumnsButton
            columns={view.columns}
            layout={layout}
            onLayout={openView.setLayout}
            region={region}
          />
          <ExportMenu list={list} columns={fields} total={total} isCapped={isCapped} />
        </div>
      )}
      <LinkNotice unusable={unusableFilters} />
      <ViewNotice {...openView} />
      <FilterChips
        list={list}
        extraLabels={extraLabels}
        total={query.isPlaceholderData ? undefined : data}
        all={unfiltered}
        onCleared={focusToolbar}
      />
      {banner}
      <DataTable<Row>
        ref={region}
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
        edits={edits}
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
        <SelectionBar
          selection={selection}
          total={total}
          isCapped={isCapped}
          shown={listed.saved.length}
          exports={exportCommands(list, { columns: fields, selected: selection.selected })}
        >
          {bulk(selection.selected)}
        </SelectionBar>
      )}
      {isHeld && <HeldNotice onUpdate={update} />}
      <Freshness query={query} failure={view.texts.failure} />
      <ListAnnouncer
        of={JSON.stringify([state.page, state.pageSize, view.filter(state)])}
        text={isKnown ? rowsText : undefined}
      />
      {total > 0 && (
        <Pager
          page={state.page}
          pageSize={state.pageSize}
          pageSizes={view.pageSizes}
          total={total}
          isCapped={isCapped}
          quiet
          hasNext={data?.nextCursor != null}
          onPage={(page) => onState({ ...state, page })}
          onPageSize={(pageSize) => onState(changed(state, { pageSize }))}
        />
      )}
      {pane !== undefined && <pane.Content id={openId} rows={named} onId={pane.onId} />}
      <InlineConflictHost />
    </div>
  );
}
