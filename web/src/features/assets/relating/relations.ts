import { assets, type Reply, type Suggestion } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { refetch, showFailure } from '../../../lib/entity/mutation-outcome.ts';
import { toast } from '../../../ui/feedback/toast.ts';

/** What is related to assets. */
export const relatedLabels = {
  threats: { one: 'threat', many: 'threats', title: 'Threats' },
  vulnerabilities: { one: 'vulnerability', many: 'vulnerabilities', title: 'Vulnerabilities' },
} as const;
export type RelatedNoun = keyof typeof relatedLabels;
export const relatedNouns = ['threats', 'vulnerabilities'] as const;

export const countedText = (noun: RelatedNoun, count: number): string =>
  plural(count, relatedLabels[noun].one, relatedLabels[noun].many);

interface Ids {
  threats?: readonly string[];
  vulnerabilities?: readonly string[];
}

interface RelationsEdit {
  add?: Ids;
  remove?: Ids;
}

const copied = ({ threats: some = [], vulnerabilities: others = [] }: Ids = {}) => ({
  threats: [...some],
  vulnerabilities: [...others],
});

const countOf = ({ threats = [], vulnerabilities = [] }: Ids = {}): number =>
  threats.length + vulnerabilities.length;

const refetchRelated = (queryClient: ReturnType<typeof useQueryClient>) =>
  Promise.all(['assets', 'projects', ...relatedNouns].map((noun) => refetch(queryClient, noun)));

/** 'Added 2 threats.' */
function outcomeText({ added, removed }: Reply<typeof assets.relate>): string {
  const part = (verb: string, ids: typeof added): string[] => {
    const counted = relatedNouns
      .filter((noun) => ids[noun].length > 0)
      .map((noun) => countedText(noun, ids[noun].length));
    return counted.length === 0 ? [] : [`${verb} ${counted.join(' and ')}.`];
  };
  return [...part('Added', added), ...part('Removed', removed)].join(' ');
}

/** Relates records to an asset or removes relations; Undo reverses exactly the relations that changed. */
export function useRelate(assetId: string) {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: ({ add, remove }: RelationsEdit) =>
      call(assets.relate, { params: { id: assetId }, body: { add: copied(add), remove: copied(remove) } }),
    onSuccess(reply, { remove }) {
      const { added, removed } = reply;
      if (countOf(added) + countOf(removed) === 0) {
        const done = countOf(remove) > 0 ? 'removed' : 'related';
        toast.info('Relations unchanged', `They were ${done} already.`);
        return;
      }
      const undo = { label: 'Undo', onClick: () => mutation.mutate({ add: removed, remove: added }) };
      toast.success('Relations changed', outcomeText(reply), { action: undo });
    },
    onError: (error) => showFailure('Failed to change relations. Please try again.', error),
    onSettled: () => refetchRelated(queryClient),
  });
  return mutation;
}

export const noSuggestions: readonly Suggestion[] = [];

export const useSuggestions = (assetId: string | undefined) =>
  useQuery({
    queryKey: ['assets', 'suggestions', assetId],
    queryFn: ({ signal }) => call(assets.suggestions, { params: { id: assetId ?? '' }, signal }),
    enabled: assetId !== undefined,
  });
