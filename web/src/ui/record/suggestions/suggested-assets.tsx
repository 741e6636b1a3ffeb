import { type Reply, threats, vulnerabilities, type BulkUpdated } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from '../../../lib/api/call.ts';
import { refetch, showFailure } from '../../../lib/entity/mutation-outcome.ts';
import { callEntity } from '../../../lib/entity/queries.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { quoted } from '../../../lib/format/name-text.ts';
import { toast } from '../../feedback/toast.ts';
import { useImportableRecord } from '../facts.tsx';
import { SuggestionsCard } from './suggestions-card.tsx';

type Change = { addAssets: string[] } | { removeAssets: string[] };

/** Relates assets to a vulnerability or threat; Undo removes exactly the relations that were added. */
function useRelateAssets() {
  const { entity, record } = useImportableRecord();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: (change: Change) =>
      callEntity<z.infer<typeof BulkUpdated>>(entity.calls.updateMany, {
        body: { ids: [record._id], change },
      }),
    onSuccess({ assetIds = [] }, change) {
      const isRemoval = 'removeAssets' in change;
      if (assetIds.length === 0) {
        toast.info('Relations unchanged', `They were ${isRemoval ? 'removed' : 'related'} already.`);
        return;
      }
      if (isRemoval) {
        toast.success('Relations removed');
        return;
      }
      toast.success(
        'Assets related',
        `${plural(assetIds.length, 'asset')} related to ${quoted(record.name)}.`,
        {
          action: { label: 'Undo', onClick: () => mutation.mutate({ removeAssets: assetIds }) },
        },
      );
    },
    onError: (error) => showFailure('Failed to relate. Please try again.', error),
    onSettled: () => Promise.all([refetch(queryClient, entity.noun), refetch(queryClient, 'assets')]),
  });
  return mutation;
}

/** Assets that the record may concern, each with the reason; nothing without a suggestion. */
export function SuggestedAssets() {
  const { entity, record } = useImportableRecord();
  const relate = useRelateAssets();
  const refusal = useRefusal(entity.calls.updateMany.access);
  const { data } = useQuery({
    queryKey: [entity.noun, 'suggestions', record._id],
    queryFn: ({ signal }): Promise<Reply<typeof threats.suggestions>> =>
      call(entity.noun === 'threats' ? threats.suggestions : vulnerabilities.suggestions, {
        params: { id: record._id },
        signal,
      }),
  });
  const suggestions = data?.assets ?? [];
  if (suggestions.length === 0) return null;
  return (
    <SuggestionsCard
      noun="assets"
      suggestions={suggestions}
      onRelate={(addAssets) => relate.mutate({ addAssets })}
      busy={relate.isPending}
      refusal={refusal}
    />
  );
}
