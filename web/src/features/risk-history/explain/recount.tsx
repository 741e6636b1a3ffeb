import { type Job, overview, type RecomputeResult } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, RefreshCw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { messageOf } from '../../../lib/api/errors.ts';
import { stageOf } from '../../../lib/jobs/job-labels.ts';
import { recountText } from '../../../lib/jobs/job-outcome.ts';
import { useJob } from '../../../lib/jobs/job-store.ts';
import { startedJob } from '../../../lib/jobs/started-job.ts';
import { endOfJob } from '../../../lib/jobs/wait-for-job.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';

const unknownError = 'Please try again.';

/** The result of a recount; a job that did not succeed is an error. */
function resultOf({ state, result, error }: Job): RecomputeResult {
  if (state === 'cancelled') throw new Error('The recount was cancelled.');
  if (state !== 'succeeded' || result === null) throw new Error(error?.message ?? unknownError);
  return result as RecomputeResult;
}

/** Counts all records again and compares them with the numbers of the overview; differences are repaired. */
export function Recount() {
  const queryClient = useQueryClient();
  const refusal = useRefusal(overview.recompute.access);
  const [jobId, setJobId] = useState<string | null>(null);
  const job = useJob(jobId);
  const { mutate, isPending, data, error } = useMutation({
    async mutationFn() {
      const started = startedJob(await call(overview.recompute));
      setJobId(started);
      return resultOf(await endOfJob(started));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['overview'] }),
  });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <output className="text-xs text-muted">
        {isPending && (job ? stageOf(job) : 'Requesting a recount')}
        {!isPending && data && (
          <span className="inline-flex items-center gap-1">
            <Check aria-hidden size={14} />
            {recountText(data)}
          </span>
        )}
      </output>
      {!isPending && error && (
        <span role="alert" className="inline-flex items-center gap-1 text-xs text-danger">
          <TriangleAlert aria-hidden size={14} />
          Recount failed: {messageOf(error, unknownError)}
        </span>
      )}
      <ButtonWithReason
        size="sm"
        icon={<RefreshCw aria-hidden size={14} />}
        busy={isPending}
        disabledReason={refusal}
        onClick={() => mutate()}
      >
        Recount now
      </ButtonWithReason>
    </div>
  );
}
