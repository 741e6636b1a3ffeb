import { cwss, type Vulnerability } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { patchCached, type Selection } from '../entity/cache.ts';
import type { CalculationRequest } from './calculation-request.ts';
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
    onError: showCalculationFailed,
    onSettled: () => void refetch(queryClient, 'vulnerabilities'),
  });
}

/** Scores vulnerabilities again, each with the vignette of its newest score. */
export function useRecalculate() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ selection }: { selection: Selection; count: number }) =>
      callEntity<AcceptedJob>(cwss.calculateMany, { body: selection }),
    onSuccess: ({ jobId }, { count }) => followCalculation(queryClient, jobId, { count }),
    onError: showCalculationFailed,
  });
}
