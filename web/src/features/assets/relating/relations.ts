import { assets, threats, type Reply, type Suggestion, vulnerabilities } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { reasonOf, refetch } from '../../../lib/entity/mutation-outcome.ts';
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
  return [...part('Added', added), ...part('Removed', removed)].join(' ') || 'They were related already.';
}

/** Relates records to an asset or removes relations; Undo reverses exactly the relations that changed. */
export function useRelate(assetId: string) {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: ({ add, remove }: RelationsEdit) =>
      call(assets.relate, { params: { id: assetId }, body: { add: copied(add), remove: copied(remove) } }),
    onSuccess(reply) {
      const { added, removed } = reply;
      const count = [added, removed].flatMap((ids) => [...ids.threats, ...ids.vulnerabilities]).length;
      const undo = { label: 'Undo', onClick: () => mutation.mutate({ add: removed, remove: added }) };
      toast.success('Relations changed', outcomeText(reply), count === 0 ? {} : { action: undo });
    },
    onError: (error) => toast.error('Failed to change relations. Please try again.', reasonOf(error)),
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

/** A record that the dialog offers. */
export interface OfferedRecord {
  _id: string;
  name: string;
  subtitle: string;
  score: number | null;
}

interface Found {
  records: OfferedRecord[];
  total: number;
}

async function findThreats(query: Record<string, unknown>, signal: AbortSignal): Promise<Found> {
  const { threats: rows, total } = await call(threats.list, { query, signal });
  return {
    records: rows.map((row) => ({
      _id: row._id,
      name: row.name,
      subtitle: row.threatID,
      score: row.riskLevel,
    })),
    total,
  };
}

async function findVulnerabilities(query: Record<string, unknown>, signal: AbortSignal): Promise<Found> {
  const { vulnerabilities: rows, total } = await call(vulnerabilities.list, { query, signal });
  return {
    records: rows.map((row) => ({
      _id: row._id,
      name: row.name,
      subtitle: row.cveId,
      score: row.cvssScore ?? row.severity,
    })),
    total,
  };
}

const finders = { threats: findThreats, vulnerabilities: findVulnerabilities } as const;
const shown = 50;

/** Threats or vulnerabilities whose name or id contains the text, and which of those the asset has already. */
export function useRecordSearch(noun: RelatedNoun, search: string, assetId: string | undefined) {
  const page = { page: 1, pageSize: shown };
  return useQuery({
    queryKey: [noun, 'relatable', search, assetId],
    async queryFn({ signal }) {
      const found = await finders[noun]({ ...page, ...(search !== '' && { search }) }, signal);
      const ids = found.records.map(({ _id }) => _id);
      const own =
        assetId === undefined || ids.length === 0
          ? []
          : (await finders[noun]({ ...page, ids, assetId }, signal)).records;
      return { ...found, related: new Set(own.map(({ _id }) => _id)) };
    },
    placeholderData: (former, query) => (query?.queryKey[0] === noun ? former : undefined),
  });
}
