import { vignettes, type VignetteSummary } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** A vignette with its newest version. */
export const vignetteQuery = (id: string) =>
  queryOptions({
    queryKey: ['vignettes', 'detail', id],
    queryFn: ({ signal }) => call(vignettes.get, { params: { id }, signal }),
  });

/** One version of a vignette; versions never change. */
export const versionQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['vignettes', 'version', id, version],
    queryFn: ({ signal }) => call(vignettes.version, { params: { id, version: `${version}` }, signal }),
  });

/** The vignette that an upload with this name would replace; null for a new name. */
export const sameNameQuery = (name: string) =>
  queryOptions({
    queryKey: ['vignettes', 'named', name],
    queryFn: async ({ signal }): Promise<VignetteSummary | null> => {
      const { items } = await call(vignettes.list, { query: { search: name, pageSize: 100 }, signal });
      // The server compares names without case.
      return items.find((one) => one.name.toLowerCase() === name.toLowerCase()) ?? null;
    },
  });
