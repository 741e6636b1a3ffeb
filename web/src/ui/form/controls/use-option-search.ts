import { assets, projects, type Related } from '@riskboard/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { useDebounced } from '../../../lib/hooks/use-debounced.ts';

interface Query {
  search?: string;
}

interface Options {
  projects: Pick<Related, '_id' | 'name'>;
  assets: Related;
}

/** Reads the first options by name. */
const lists: {
  readonly [N in keyof Options]: (
    query: Query,
    signal: AbortSignal,
  ) => Promise<{ found: readonly Options[N][]; total: number }>;
} = {
  async projects(query, signal) {
    const { projects: found, total } = await call(projects.names, { query, signal });
    return { found, total };
  },
  async assets(search, signal) {
    const query = { page: 1, pageSize: 50, sort: 'name', ...search };
    const { assets: found, total } = await call(assets.list, { query, signal });
    return { found, total };
  },
};

export interface OptionSearch<Option = unknown> {
  found: readonly Option[];
  /** Records that match, also those that are not in `found`. */
  total: number;
  error: unknown;
  /** The records found do not belong to the text yet. */
  busy: boolean;
}

/** Records whose name or description contains the text, sorted by name. Sends no request while the list is closed. */
export function useOptionSearch<N extends keyof Options>(
  noun: N,
  { text, open }: { text: string; open: boolean },
): OptionSearch<Options[N]> {
  const search = useDebounced(text).trim();
  const query: Query = search === '' ? {} : { search };
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: [noun, 'options', query],
    queryFn: async ({ signal }) => lists[noun](query, signal),
    placeholderData: keepPreviousData,
    enabled: open,
  });
  return {
    found: data?.found ?? [],
    total: data?.total ?? 0,
    error,
    busy: search !== text.trim() || (isFetching && (data === undefined || isPlaceholderData)),
  };
}

/** The project of an organization that has no other; undefined until it is loaded. */
export function useOnlyProject(isNeeded: boolean): string | undefined {
  const { found, total } = useOptionSearch('projects', { text: '', open: isNeeded });
  return total === 1 ? found[0]?._id : undefined;
}
