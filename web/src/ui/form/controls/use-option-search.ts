import { assets, projects, type Related } from '@riskboard/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { useDebounced } from '../../../lib/hooks/use-debounced.ts';

interface Query {
  page: number;
  pageSize: number;
  sort: string;
  search?: string;
}

const lists = {
  projects: (query: Query, signal: AbortSignal) => call(projects.list, { query, signal }),
  assets: (query: Query, signal: AbortSignal) => call(assets.list, { query, signal }),
} as const;

export interface OptionSearch {
  found: readonly Related[];
  /** Records that match, also those that are not in `found`. */
  total: number;
  error: unknown;
  /** The records found do not belong to the text yet. */
  busy: boolean;
}

/** Records whose name or description contains the text, sorted by name. Sends no request while the list is closed. */
export function useOptionSearch(
  noun: keyof typeof lists,
  { text, open }: { text: string; open: boolean },
): OptionSearch {
  const search = useDebounced(text).trim();
  const query = { page: 1, pageSize: 50, sort: 'name', ...(search !== '' && { search }) };
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: [noun, 'list', query],
    queryFn: async ({ signal }) => lists[noun](query, signal),
    placeholderData: keepPreviousData,
    enabled: open,
  });
  return {
    found: data === undefined ? [] : 'projects' in data ? data.projects : data.assets,
    total: data?.total ?? 0,
    error,
    busy: search !== text.trim() || (isFetching && (data === undefined || isPlaceholderData)),
  };
}
