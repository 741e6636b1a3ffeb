import type { RowData } from '@tanstack/react-table';
import { useEffect, type ReactNode } from 'react';
import { withChange, type ListSearch } from '../lib/list-search.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { Pager } from './pager.tsx';
import { SearchField } from './search-field.tsx';

/** What a list needs to know of the query behind it; React Query's result has it all. */
export interface ListQuery<Row> {
  readonly data: { readonly rows: readonly Row[]; readonly total: number } | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
  refetch(): unknown;
}

export interface ListViewProps<Row extends RowData, S extends ListSearch> extends Pick<
  DataTableProps<Row>,
  'label' | 'columns' | 'rowId' | 'selection'
> {
  query: ListQuery<Row>;
  search: S;
  onSearch: (search: S) => void;
  /** Name of the search box; absent: the list has none. */
  searchLabel?: string;
  /** The spec's words. */
  texts: { empty: string; failure: string };
  /** What to do when there is nothing at all. */
  emptyHint: { icon: ReactNode; description: ReactNode; action?: ReactNode };
  /** Filters beside the search, and the chips of what is set. */
  filters?: ReactNode;
  /** Set while a filter narrows the list; takes every filter and the search away. */
  onReset?: (() => void) | undefined;
  /** Between the search and the table, such as what to do with selected rows. */
  banner?: ReactNode;
}

/** A list from the server with its search, filters, sorting and pages; the address is its state. */
export function ListView<Row extends RowData, S extends ListSearch>({
  query,
  search,
  onSearch,
  searchLabel,
  texts,
  emptyHint,
  filters,
  onReset,
  banner,
  ...table
}: ListViewProps<Row, S>) {
  const { data, error } = query;
  const change = (changes: Partial<ListSearch>) => onSearch(withChange<ListSearch>(search, changes) as S);
  const total = data?.total ?? 0;
  const pages = Math.max(1, Math.ceil(total / search.pageSize));
  const beyond = data !== undefined && !query.isPlaceholderData && search.page > pages;

  // The last page may have gone with its rows.
  useEffect(() => {
    if (beyond) onSearch({ ...search, page: pages });
  }, [beyond, onSearch, pages, search]);

  const failed = error !== null && error !== undefined && data === undefined;
  return (
    <Card>
      {(searchLabel !== undefined || filters !== undefined) && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-3">
          {searchLabel !== undefined && (
            <SearchField
              label={searchLabel}
              placeholder={searchLabel}
              value={search.search}
              onChange={(text) => change({ search: text })}
            />
          )}
          {filters}
        </div>
      )}
      {banner}
      <DataTable
        {...table}
        rows={data?.rows}
        sort={search.sort}
        onSort={(sort) => change({ sort })}
        busy={query.isPlaceholderData}
        skeletonRows={search.pageSize}
        failure={failed ? { title: texts.failure, error, onRetry: () => void query.refetch() } : undefined}
        empty={
          onReset === undefined && search.search === '' ? (
            <EmptyState title={texts.empty} {...emptyHint} />
          ) : (
            <EmptyState
              icon={emptyHint.icon}
              title={texts.empty}
              description={
                search.search === '' ? 'Nothing matches the filters.' : `Nothing matches “${search.search}”.`
              }
              action={
                <Button onClick={onReset ?? (() => change({ search: '' }))}>Clear search and filters</Button>
              }
            />
          )
        }
      />
      {total > 0 && (
        <Pager
          page={search.page}
          pageSize={search.pageSize}
          total={total}
          onPage={(page) => change({ page })}
          onPageSize={(pageSize) => change({ pageSize: pageSize as ListSearch['pageSize'] })}
        />
      )}
    </Card>
  );
}
