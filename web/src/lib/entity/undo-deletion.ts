import { jobs, type Job } from '@riskboard/contract';
import type { QueryClient } from '@tanstack/react-query';
import { toast } from '../../ui/feedback/toast.ts';
import { call } from '../api/call.ts';
import { capitalized } from './messages.ts';
import { followBulk, refetch, showFailure } from './mutation-outcome.ts';

/** The list whose rows a job deleted and can be restored; otherwise undefined. */
export function restorableNoun({ kind, state, result }: Job): string | undefined {
  if (kind !== 'records.delete' || state !== 'succeeded' || result === null) return undefined;
  if (!('restorable' in result) || result.changed === 0 || result.restoration?.isComplete) return undefined;
  return result.restorable;
}

/** Restores what a job deleted, in a job of its own whose end a toast shows. */
export async function undoDeletion(queryClient: QueryClient, jobId: string, noun: string): Promise<void> {
  try {
    const reply = await call(jobs.restore, { params: { id: jobId } });
    if (!('jobId' in reply)) {
      toast.info('Nothing was restored', reply.message);
      void refetch(queryClient, noun);
      return;
    }
    toast.info('Restoring in the background', reply.message, { id: reply.jobId });
    void followBulk(queryClient, reply.jobId, { noun, title: `${capitalized(noun)} restored` });
  } catch (error) {
    showFailure(`Error: Failed to restore ${noun}. Please try again.`, error);
  }
}
