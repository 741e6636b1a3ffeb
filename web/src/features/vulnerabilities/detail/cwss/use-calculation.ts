import { cwss } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../../lib/api/call.ts';
import { reasonOf, refetch } from '../../../../lib/entity/mutation-outcome.ts';
import { toast } from '../../../../ui/feedback/toast.ts';
import { scoreText } from './factor-text.ts';

/** Calculates the score of a vulnerability with a vignette again (spec 8: the texts of the toasts). */
export function useCalculation(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (vignetteId: string) => call(cwss.calculate, { body: { id, vignetteId } }),
    onSuccess(reply) {
      if ('cwssScore' in reply) toast.success('Calculation applied', `CWSS ${scoreText(reply.cwssScore)}`);
      else toast.info('Recalculation started');
    },
    onError: (error) => toast.error('Calculation failed', reasonOf(error)),
    onSettled: () => refetch(queryClient, 'vulnerabilities'),
  });
}
