import type { Facets } from '@riskboard/contract';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ListControl } from './list-control.ts';

export type Facet = Facets['facets'][string];

/** The value once it has stood for so many milliseconds. */
function useSettled<T>(value: T, delay = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}

/** Values, counts and bounds of a field under the filters of the others; without facets, none and no error. */
export function useFacet({ view, state, params }: ListControl, field: string, text = '') {
  const options = view.facet(state, field, { text: useSettled(text.trim()), params });
  const query = useQuery<Facets>(options ?? { queryKey: ['no-facets'], queryFn: skipToken });
  return {
    facet: query.data?.facets[field],
    pending: options !== null && query.isPending,
    error: query.error,
    refetch: () => void query.refetch(),
  };
}
