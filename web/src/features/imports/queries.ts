import { imports, type CsvImport, type ImportNoun, type ImportPlan } from '@riskboard/contract';
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, type CallInput } from '../../lib/api/call.ts';

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'detail', id],
    queryFn: ({ signal }) => call(imports.get, { params: { id }, signal }),
  });

/** Earlier imports shown at once. */
export const earlierPerPage = 10;

/** The earlier imports of a noun, newest first. */
export const importsQuery = (noun: ImportNoun, page: number) =>
  queryOptions({
    queryKey: ['imports', 'list', noun, page],
    queryFn: ({ signal }) => call(imports.list, { query: { noun, page, pageSize: earlierPerPage }, signal }),
    placeholderData: keepPreviousData,
  });

/**
 * What would become of the first rows. Not under 'imports', which every event of a job marks stale: the dry run checks
 * all rows again.
 */
export const previewQuery = (id: string, plan: ImportPlan) =>
  queryOptions({
    queryKey: ['import-preview', id, plan],
    queryFn: async ({ signal }) => (await call(imports.preview, { params: { id }, body: plan, signal })).rows,
    // The old preview stays until the new one arrives.
    placeholderData: keepPreviousData,
  });

type RowsInput = NonNullable<CallInput<typeof imports.rows>['query']>;

/** One page of the report of the last dry run or import. */
export const rowsQuery = (id: string, query: RowsInput) =>
  queryOptions({
    queryKey: ['imports', 'rows', id, query],
    queryFn: ({ signal }) => call(imports.rows, { params: { id }, query, signal }),
    placeholderData: keepPreviousData,
  });

/** Shows the change of an import before it is fetched again. */
export function patchImport(queryClient: QueryClient, id: string, change: Partial<CsvImport>): void {
  queryClient.setQueryData(importQuery(id).queryKey, (old) => old && { ...old, ...change });
}

export const refreshImports = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['imports'] });
