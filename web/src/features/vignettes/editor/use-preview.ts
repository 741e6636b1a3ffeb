import { vignettes, type VignetteContent, type VignettePreview } from '@riskboard/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useDebounced } from '../../../lib/hooks/use-debounced.ts';
import { useLast } from '../../../lib/hooks/use-last.ts';
import { scorecardOf, type CellDraft } from './draft.ts';

type Scorecard = VignetteContent['scorecard'];

interface Compared {
  /** Vignette whose newest version is the state before; undefined for a new one. */
  vignetteId: string | undefined;
  scorecard: Scorecard;
}

/** What a scorecard changes. A request whose scorecard is no longer shown is cancelled. */
const previewQuery = ({ vignetteId, scorecard }: Compared) =>
  queryOptions({
    queryKey: ['vignettes', 'preview', vignetteId ?? null, scorecard],
    queryFn: ({ signal }) =>
      call(vignettes.preview, {
        body: { scorecard, ...(vignetteId !== undefined && { vignetteId }) },
        signal,
      }),
    enabled: scorecard.length > 0,
    placeholderData: keepPreviousData,
    // Each typed rating has an entry of its own.
    gcTime: 10_000,
  });

interface Preview {
  /** The newest result, also while the next one loads. */
  readonly data: VignettePreview | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** How the known vulnerabilities would move with these cells; cells that cannot be read keep the last result. */
export function usePreview(
  cells: readonly CellDraft[],
  { vignetteId, isValid }: { vignetteId: string | undefined; isValid: boolean },
): Preview {
  // Notes move nothing.
  const scorecard = useMemo(() => scorecardOf(cells).map((cell) => ({ ...cell, notes: '' })), [cells]);
  const valid = useLast(isValid ? scorecard : undefined) ?? [];
  const key = JSON.stringify(valid);
  const settled = useDebounced(key, 250);
  const query = useQuery(previewQuery({ vignetteId, scorecard: JSON.parse(settled) as Scorecard }));
  const data = useLast(query.data);
  return {
    data,
    isPending: query.isFetching || key !== settled,
    error: query.error,
    retry: () => void query.refetch(),
  };
}
