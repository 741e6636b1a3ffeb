import { cwss, type Vulnerability } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { patchCached, type Selection } from '../entity/cache.ts';
import type { CalculationRequest } from './calculation-request.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { refetch, type AcceptedJob } from '../entity/mutation-outcome.ts';
import { callEntity } from '../entity/queries.ts';
import { followCalculation, showApplied, showCalculationFailed } from './calculation-toasts.ts';

interface Applied {
  vulnerability: Vulnerability;
  cwssScore: number;
}

interface Chosen {
  request: CalculationRequest;
  vignetteId: string;
}

/** Toast of the failure to score one vulnerability, or several. */
const failureOf = (request: CalculationRequest): string =>
  'record' in request ? `calculate ${request.record._id}` : severalFailed;
const severalFailed = 'calculate vulnerabilities';

/** Scores the requested vulnerabilities with a vignette, and shows the outcome. */
export function useCalculate() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ request, vignetteId }: Chosen) =>
      'record' in request
        ? callEntity<Applied | AcceptedJob>(cwss.calculate, {
            body: { id: request.record._id, vignetteId },
          })
        : callEntity<AcceptedJob>(cwss.calculateMany, {
            body: { ...request.selected.selection, vignetteId },
          }),
    onMutate: ({ request }) => toast.close(failureOf(request)),
    async onSuccess(reply, { request }) {
      const one = 'record' in request;
      const name = one ? request.record.name : undefined;
      if ('jobId' in reply) {
        followCalculation(queryClient, reply.jobId, { name, count: one ? 1 : request.selected.count });
        return;
      }
      await patchCached(queryClient, 'vulnerabilities', { ...reply.vulnerability });
      showApplied({ score: reply.cwssScore, name: reply.vulnerability.name });
    },
    onError: (error, { request }) => showCalculationFailed(error, failureOf(request)),
    onSettled: () => void refetch(queryClient, 'vulnerabilities'),
  });
}

/** Scores vulnerabilities again, each with the vignette of its newest score. */
export function useRecalculate() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ selection }: { selection: Selection; count: number }) =>
      callEntity<AcceptedJob>(cwss.calculateMany, { body: selection }),
    onMutate: () => toast.close(severalFailed),
    onSuccess: ({ jobId }, { count }) => followCalculation(queryClient, jobId, { count }),
    onError: (error) => showCalculationFailed(error, severalFailed),
  });
}
