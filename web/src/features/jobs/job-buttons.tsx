import { jobs, type Job } from '@riskboard/contract';
import { RotateCw, X } from 'lucide-react';
import { isLive } from '../../lib/jobs/job-labels.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { useJobActions } from './use-job-actions.ts';

/** Cancel of a job that runs or waits, retry of one that failed or was cancelled. */
export function JobButtons({ job }: { job: Job }) {
  const { busy, cancel, retry } = useJobActions(job);
  const cancelRefusal = useRefusal(jobs.cancel.access);
  const retryRefusal = useRefusal(jobs.retry.access);
  const name = job.fileName ?? 'job';
  if (isLive(job)) {
    return (
      <IconButton
        size="sm"
        label={`Cancel ${name}`}
        icon={<X aria-hidden size={14} />}
        disabled={busy}
        disabledReason={cancelRefusal}
        onClick={() => void cancel()}
      />
    );
  }
  if (job.state === 'succeeded') return null;
  return (
    <IconButton
      size="sm"
      label={`Retry ${name}`}
      icon={<RotateCw aria-hidden size={14} />}
      disabled={busy}
      disabledReason={retryRefusal}
      onClick={() => void retry()}
    />
  );
}
