import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** A record as the caches hold it: a row of a list, or a detail. */
export type CachedRecord = Record<string, unknown> & { _id: string };

/** Records of a bulk action: these ids, or every record that matches the filter (contract, `selection`). */
export type Selection = { ids: string[] } | { filter: Record<string, unknown> };

type CachedPage = Record<string, unknown> & { total: number };
type CacheEntry = [QueryKey, unknown];
type Rows = readonly CachedRecord[];

/** Edits the rows of one cached page; returns the same array when nothing changes. */
type EditRows = (rows: Rows, query: Record<string, unknown>) => Rows;

/** Undoes an optimistic change of the cache. */
type Rollback = () => void;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Name under which a list's reply carries its rows (spec 7); undefined when the reply is not a list. */
function rowsName(noun: string, data: unknown): string | undefined {
  if (!isObject(data) || typeof data['total'] !== 'number') return undefined;
  return [noun, 'items'].find((name) => Array.isArray(data[name]));
}

/** The query parameters of a cached page: the last part of its key. */
function queryOf(key: QueryKey): Record<string, unknown> {
  const last = key.at(-1);
  return isObject(last) ? last : {};
}

function editPage(noun: string, [key, data]: CacheEntry, edit: EditRows): unknown {
  const name = rowsName(noun, data);
  if (name === undefined) return data;
  const page = data as CachedPage;
  const rows = page[name] as Rows;
  const next = edit(rows, queryOf(key));
  return next === rows ? data : { ...page, [name]: next, total: page.total + next.length - rows.length };
}

/** Edits every cache entry of a noun. */
async function editCache(
  queryClient: QueryClient,
  noun: string,
  edit: (entry: CacheEntry) => unknown,
): Promise<Rollback> {
  // A reply that has not arrived yet would overwrite the optimistic change.
  await queryClient.cancelQueries({ queryKey: [noun] });
  const entries = queryClient.getQueriesData({ queryKey: [noun] });
  const edited = entries.filter(([key, data]) => {
    if (data === undefined) return false;
    const next = edit([key, data]);
    if (next === data) return false;
    queryClient.setQueryData(key, next);
    return true;
  });
  return () => {
    for (const [key, data] of edited) queryClient.setQueryData(key, data);
  };
}

/** The record with the given fields, except those that it does not have: a list's row has fewer than the detail. */
function merge(record: CachedRecord, fields: Record<string, unknown>): CachedRecord {
  const known = Object.entries(fields).filter(([name, value]) => name in record && value !== undefined);
  return { ...record, ...Object.fromEntries(known) };
}

/** Changes a record in every list and detail that shows it. */
export const patchCached = (
  queryClient: QueryClient,
  noun: string,
  record: CachedRecord,
): Promise<Rollback> =>
  editCache(queryClient, noun, ([key, data]) => {
    if (isObject(data) && data['_id'] === record._id) return merge(data as CachedRecord, record);
    return editPage(noun, [key, data], (rows) =>
      rows.some(({ _id }) => _id === record._id)
        ? rows.map((row) => (row._id === record._id ? merge(row, record) : row))
        : rows,
    );
  });

const paging = new Set(['page', 'pageSize', 'sort', 'cursor']);

/** The filter of a page's query as a text that does not depend on the order of its names. */
const filterKey = (query: Record<string, unknown>): string =>
  JSON.stringify(
    Object.entries(query)
      .filter(([name, value]) => !paging.has(name) && value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Adds a new record at the top of the unfiltered lists that are sorted by newest first. */
export const insertCached = (queryClient: QueryClient, noun: string, row: CachedRecord): Promise<Rollback> =>
  editCache(queryClient, noun, (entry) =>
    editPage(noun, entry, (rows, query) =>
      query['page'] === 1 && query['sort'] === '-createdAt' && filterKey(query) === '[]'
        ? [row, ...rows]
        : rows,
    ),
  );

/** Removes records from every list: these ids, or all rows of the lists with exactly this filter. */
export function removeCached(
  queryClient: QueryClient,
  noun: string,
  selection: Selection,
): Promise<Rollback> {
  if ('ids' in selection) {
    const ids = new Set(selection.ids);
    return editCache(queryClient, noun, (entry) =>
      editPage(noun, entry, (rows) =>
        rows.some(({ _id }) => ids.has(_id)) ? rows.filter(({ _id }) => !ids.has(_id)) : rows,
      ),
    );
  }
  const filter = filterKey(selection.filter);
  return editCache(queryClient, noun, ([key, data]) => {
    const name = rowsName(noun, data);
    if (name === undefined || filterKey(queryOf(key)) !== filter) return data;
    return { ...(data as CachedPage), [name]: [], total: 0 };
  });
}
