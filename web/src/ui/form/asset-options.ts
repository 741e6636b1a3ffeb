import { assets, type Related } from '@riskboard/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api/call.ts';

/** What the picker of an asset's own relations must keep out (spec 5, Relationships picker). */
export interface AssetRules {
  /** The asset that the form is about. */
  self?: string | undefined;
  /** Ids of the assets that list it as related. */
  parents?: readonly string[] | undefined;
}

export interface AssetOption extends Related {
  /** Why it cannot be chosen; undefined: it can. */
  refusal: string | undefined;
}

/** Why an asset cannot be chosen: it is already, it is the asset itself, or a circle would close (spec 5). */
export function assetRefusal(
  id: string,
  chosen: readonly Related[],
  { self, parents }: AssetRules,
): string | undefined {
  if (id === self) return 'This asset itself';
  if (parents?.includes(id) === true) return 'Parent asset: would be a circular reference';
  return chosen.some(({ _id }) => _id === id) ? 'Selected' : undefined;
}

/** Milliseconds without a key before the server is asked. */
const pause = 200;

/** Assets whose name or description holds the words, by name; nothing is asked until the list is open. */
export function useAssetSearch(text: string, open: boolean) {
  const [search, setSearch] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text), text === '' ? 0 : pause);
    return () => clearTimeout(timer);
  }, [text]);
  const query = {
    page: 1,
    pageSize: 50,
    sort: 'name',
    ...(search.trim() !== '' && { search: search.trim() }),
  };
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['assets', 'list', query],
    queryFn: ({ signal }) => call(assets.list, { query, signal }),
    placeholderData: keepPreviousData,
    enabled: open,
  });
  return {
    found: data?.assets ?? [],
    total: data?.total ?? 0,
    error,
    /** What is shown does not belong to the words that stand there. */
    busy: search !== text || (isFetching && (data === undefined || isPlaceholderData)),
  };
}
