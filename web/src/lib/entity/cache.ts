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
  return [noun, 'items', 'files'].find((name) => Array.isArray(data[name]));
}

/** The rows of a list's page; empty for other data. */
function rowsOf(noun: string, data: unknown): Rows {
  const name = rowsName(noun, data);
  return name === undefined ? [] : ((data as CachedPage)[name] as Rows);
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

interface CacheEdit {
  edit: (entry: CacheEntry) => unknown;
  /** Undoes the edit in an entry that has changed since; `before` is the entry's data before the edit. */
  undo: (entry: CacheEntry, before: unknown) => unknown;
}

/** Edits every cache entry of a noun. */
async function editCache(
  queryClient: QueryClient,
  noun: string,
  { edit, undo }: CacheEdit,
): Promise<Rollback> {
  // A reply that has not arrived yet would overwrite the optimistic change.
  await queryClient.cancelQueries({ queryKey: [noun] });
  const entries = queryClient.getQueriesData({ queryKey: [noun] });
  const edited = entries.flatMap(([key, before]) => {
    const after = before === undefined ? undefined : edit([key, before]);
    if (after === before) return [];
    // As stored: parts that equal the old data keep their identity.
    return [{ key, before, after: queryClient.setQueryData(key, after) }];
  });
  return () => {
    for (const { key, before, after } of edited) {
      const now = queryClient.getQueryData(key);
      // Other changes may have followed, such as a second deletion or a refetch: they stay.
      if (now !== undefined) queryClient.setQueryData(key, now === after ? before : undo([key, now], before));
    }
  };
}

/** The record with the given fields, except those that it does not have: a list's row has fewer than the detail. */
function merge(record: CachedRecord, fields: Record<string, unknown>): CachedRecord {
  const known = Object.entries(fields).filter(([name, value]) => name in record && value !== undefined);
  return { ...record, ...Object.fromEntries(known) };
}

/** Edits one record in an entry, be it a list or the record's detail. */
function editRecord(
  noun: string,
  [key, data]: CacheEntry,
  { _id, edit }: { _id: string; edit: (record: CachedRecord) => CachedRecord },
): unknown {
  if (isObject(data) && data['_id'] === _id) return edit(data as CachedRecord);
  return editPage(noun, [key, data], (rows) =>
    rows.some((row) => row._id === _id) ? rows.map((row) => (row._id === _id ? edit(row) : row)) : rows,
  );
}

/** The record of an entry; undefined when the entry does not show it. */
function recordIn(noun: string, data: unknown, id: string): CachedRecord | undefined {
  if (isObject(data) && data['_id'] === id) return data as CachedRecord;
  return rowsOf(noun, data).find(({ _id }) => _id === id);
}

/** Changes a record in every list and detail that shows it. */
export const patchCached = (
  queryClient: QueryClient,
  noun: string,
  record: CachedRecord,
): Promise<Rollback> =>
  editCache(queryClient, noun, {
    edit: (entry) => editRecord(noun, entry, { _id: record._id, edit: (one) => merge(one, record) }),
    undo(entry, before) {
      const old = recordIn(noun, before, record._id);
      if (old === undefined) return entry[1];
      // Only what still is as it was optimistically set.
      const fieldsOf = (now: CachedRecord) =>
        Object.fromEntries(
          Object.entries(old).filter(([name]) => name in record && now[name] === record[name]),
        );
      return editRecord(noun, entry, { _id: record._id, edit: (now) => ({ ...now, ...fieldsOf(now) }) });
    },
  });

/** Name of a record in a list or a detail; undefined when no entry shows it. */
export function cachedName(queryClient: QueryClient, noun: string, id: string): string | undefined {
  const entries = queryClient.getQueriesData({ queryKey: [noun] });
  const record = entries.map(([, data]) => recordIn(noun, data, id)).find((one) => one !== undefined);
  return typeof record?.['name'] === 'string' ? record['name'] : undefined;
}

/** Ids on each cached page of a noun's lists: pages on the screen first, then the newest. */
export const cachedPages = (queryClient: QueryClient, noun: string): string[][] =>
  queryClient
    .getQueryCache()
    .findAll({ queryKey: [noun] })
    .toSorted(
      (a, b) => Number(b.isActive()) - Number(a.isActive()) || b.state.dataUpdatedAt - a.state.dataUpdatedAt,
    )
    .map(({ state }) => rowsOf(noun, state.data).map(({ _id }) => _id));

const paging = new Set(['page', 'pageSize', 'sort', 'cursor']);

/** The filter of a page's query as a text that does not depend on the order of its names. */
const filterKey = (query: Record<string, unknown>): string =>
  JSON.stringify(
    Object.entries(query)
      .filter(([name, value]) => !paging.has(name) && value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The rows with those of an earlier page that are missing, each at its former index. */
function withRows(rows: Rows, before: Rows, ids: ReadonlySet<string>): Rows {
  const next = [...rows];
  for (const [index, row] of before.entries()) {
    const isMissing = ids.has(row._id) && !next.some(({ _id }) => _id === row._id);
    if (isMissing) next.splice(Math.min(index, next.length), 0, row);
  }
  return next.length === rows.length ? rows : next;
}

/** Removes records from every list: these ids, or all rows of the lists with exactly this filter. */
export function removeCached(
  queryClient: QueryClient,
  noun: string,
  selection: Selection,
): Promise<Rollback> {
  if ('ids' in selection) {
    const ids = new Set(selection.ids);
    return editCache(queryClient, noun, {
      edit: (entry) =>
        editPage(noun, entry, (rows) =>
          rows.some(({ _id }) => ids.has(_id)) ? rows.filter(({ _id }) => !ids.has(_id)) : rows,
        ),
      undo: (entry, before) => editPage(noun, entry, (rows) => withRows(rows, rowsOf(noun, before), ids)),
    });
  }
  const filter = filterKey(selection.filter);
  return editCache(queryClient, noun, {
    edit([key, data]) {
      const name = rowsName(noun, data);
      if (name === undefined || filterKey(queryOf(key)) !== filter) return data;
      return { ...(data as CachedPage), [name]: [], total: 0 };
    },
    // What has been loaded since is what the server has.
    undo: ([, data]) => data,
  });
}
