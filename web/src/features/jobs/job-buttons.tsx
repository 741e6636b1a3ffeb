import { jobAccess, jobs, type Job } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { RotateCw, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { messageOf } from '../../lib/api/errors.ts';
import { restorableNoun, undoDeletion } from '../../lib/entity/undo-deletion.ts';
import { isLive, jobStore } from '../../lib/jobs/job-store.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { toast } from '../../ui/feedback/toast.ts';

/** Cancel button of a queued or running job, Retry button of a failed or cancelled one, Undo button of a deletion. */
export function JobButtons({ job }: { job: Job }) {
  const { busy, cancel, retry, undo } = useJobActions(job);
  const refusal = useRefusal(jobAccess(job.kind).access);
  const name = job.fileName ?? 'job';
  if (isLive(job)) {
    return (
      <IconButton
        size="sm"
        label={`Cancel ${name}`}
        icon={<X aria-hidden size={14} />}
        disabled={busy}
        disabledReason={refusal}
        onClick={() => void cancel()}
      />
    );
  }
  if (job.state === 'succeeded') {
    const noun = restorableNoun(job);
    if (noun === undefined) return null;
    return (
      <IconButton
        size="sm"
        label={`Undo: restore the deleted ${noun}`}
        icon={<Undo2 aria-hidden size={14} />}
        disabled={busy}
        disabledReason={refusal}
        onClick={() => void undo(noun)}
      />
    );
  }
  return (
    <IconButton
      size="sm"
      label={`Retry ${name}`}
      icon={<RotateCw aria-hidden size={14} />}
      disabled={busy}
      disabledReason={refusal}
      onClick={() => void retry()}
    />
  );
}

/** Cancels, retries and undoes one job; `busy` names the running action. */
function useJobActions(job: Job) {
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
    undo: (noun: string) => act(() => undoDeletion(queryClient, job._id, noun), 'Undo failed'),
  };
}
