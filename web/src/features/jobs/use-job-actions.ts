import { jobs, type Job } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { messageOf } from '../../lib/api/message-of.ts';
import { toast } from '../../ui/feedback/toast.ts';

/** Cancel and retry of one job; what is under way is told by `busy`. */
export function useJobActions(job: Job) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const params = { id: job._id };

  async function act(work: () => Promise<unknown>, failure: string): Promise<void> {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast.error(failure, messageOf(error, 'Please try again.'));
    }
    setBusy(false);
    await queryClient.invalidateQueries({ queryKey: ['jobs'] });
  }

  return {
    busy,
    cancel: () => act(async () => jobStore.apply(await call(jobs.cancel, { params })), 'Cancel failed'),
    retry: () => act(() => call(jobs.retry, { params }), 'Retry failed'),
  };
}
