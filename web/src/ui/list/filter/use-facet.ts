import type { Facets } from '@riskboard/contract';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useDebounced } from '../../../lib/hooks/use-debounced.ts';
import type { ListControl } from '../list-control.ts';

export type Facet = Facets['facets'][string];

/** Values, counts and limits of a field under the filters of the other fields; empty when the list has no facets. */
export function useFacet({ view, state, params }: ListControl, field: string, text = '') {
  const options = view.facet(state, field, { text: useDebounced(text.trim(), 250), params });
  const query = useQuery<Facets>(options ?? { queryKey: ['no-facets'], queryFn: skipToken });
  return {
    facet: query.data?.facets[field],
    pending: options !== null && query.isPending,
    error: query.error,
    refetch: () => void query.refetch(),
  };
}

/** Loads the values of a field before its filter opens; nothing for fields whose values are declared. */
export function useFacetPrefetch(list: ListControl, name: string): () => void {
  const queryClient = useQueryClient();
  const newest = useRef(list);
  useEffect(() => {
    newest.current = list;
  });
  return useCallback(() => {
    const { view, state, params } = newest.current;
    const field = view.fields[name];
    if (field?.kind !== 'choice' || field.values !== undefined) return;
    const options = view.facet(state, name, { text: '', params });
    if (options !== null) void queryClient.prefetchQuery(options);
  }, [queryClient, name]);
}
