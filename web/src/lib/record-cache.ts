import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** A record as the caches hold it: a row of a list, or a detail. */
export type Cached = Record<string, unknown> & { _id: string };

/** Rows that a bulk action means: these, or all that match (contract, `selection`). */
export type Selection = { ids: string[] } | { filter: Record<string, unknown> };

type Listed = Record<string, unknown> & { total: number };

/** What an optimistic change does to the rows of one cached page. */
type Edit = (rows: readonly Cached[], query: Record<string, unknown>) => readonly Cached[];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Name under which a reply carries its rows (spec 7); undefined: it is no list. */
function rowsName(noun: string, data: unknown): string | undefined {
  if (!isObject(data) || typeof data['total'] !== 'number') return undefined;
  return [noun, 'items'].find((name) => Array.isArray(data[name]));
}

/** What a page was asked for: the last part of its key. */
function queryOf(key: QueryKey): Record<string, unknown> {
  const last = key.at(-1);
  return isObject(last) ? last : {};
}

function editPage(noun: string, [key, data]: [QueryKey, unknown], edit: Edit): unknown {
  const name = rowsName(noun, data);
  if (name === undefined) return data;
  const page = data as Listed;
  const rows = page[name] as readonly Cached[];
  const next = edit(rows, queryOf(key));
  return next === rows ? data : { ...page, [name]: next, total: page.total + next.length - rows.length };
}

/** Everything that is cached of a noun as the change makes it. @returns puts back what was there */
async function change(
  queryClient: QueryClient,
  noun: string,
  next: (cached: [QueryKey, unknown]) => unknown,
): Promise<() => void> {
  // An answer that is on its way would undo the change.
  await queryClient.cancelQueries({ queryKey: [noun] });
  const before = queryClient.getQueriesData({ queryKey: [noun] });
  const touched = before.filter(([key, data]) => {
    if (data === undefined) return false;
    const changed = next([key, data]);
    if (changed === data) return false;
    queryClient.setQueryData(key, changed);
    return true;
  });
  return () => {
    for (const [key, data] of touched) queryClient.setQueryData(key, data);
  };
}

/** Fields that the record has; a list shows fewer than the detail. */
function merged(record: Cached, fields: Record<string, unknown>): Cached {
  const known = Object.entries(fields).filter(([name, value]) => name in record && value !== undefined);
  return { ...record, ...Object.fromEntries(known) };
}

/** A record changed wherever it is shown. @returns puts back what was there */
export const patchCached = (queryClient: QueryClient, noun: string, record: Cached): Promise<() => void> =>
  change(queryClient, noun, ([key, data]) => {
    if (isObject(data) && data['_id'] === record._id) return merged(data as Cached, record);
    return editPage(noun, [key, data], (rows) =>
      rows.some(({ _id }) => _id === record._id)
        ? rows.map((row) => (row._id === record._id ? merged(row, record) : row))
        : rows,
    );
  });

const paging = new Set(['page', 'pageSize', 'sort', 'cursor']);

/** The query of a page without its paging, the same whatever the order of its names. */
const narrowing = (query: Record<string, unknown>): string =>
  JSON.stringify(
    Object.entries(query)
      .filter(([name, value]) => !paging.has(name) && value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** A new record on top of the lists that begin with the newest of all. @returns puts back what was there */
export const insertCached = (queryClient: QueryClient, noun: string, row: Cached): Promise<() => void> =>
  change(queryClient, noun, (cached) =>
    editPage(noun, cached, (rows, query) =>
      query['page'] === 1 && query['sort'] === '-createdAt' && narrowing(query) === '[]'
        ? [row, ...rows]
        : rows,
    ),
  );

/** Records out of every list: these, or all of the lists that are narrowed so. @returns puts back what was there */
export function removeCached(
  queryClient: QueryClient,
  noun: string,
  selection: Selection,
): Promise<() => void> {
  if ('ids' in selection) {
    const gone = new Set(selection.ids);
    return change(queryClient, noun, (cached) =>
      editPage(noun, cached, (rows) =>
        rows.some(({ _id }) => gone.has(_id)) ? rows.filter(({ _id }) => !gone.has(_id)) : rows,
      ),
    );
  }
  const meant = narrowing(selection.filter);
  return change(queryClient, noun, ([key, data]) => {
    const name = rowsName(noun, data);
    if (name === undefined || narrowing(queryOf(key)) !== meant) return data;
    return { ...(data as Listed), [name]: [], total: 0 };
  });
}
