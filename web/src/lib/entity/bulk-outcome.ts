import type { QueryClient } from '@tanstack/react-query';
import { toast } from '../../ui/feedback/toast.ts';
import type { FollowedWork } from '../jobs/followed-work.ts';
import { endOfFollowed, type Resumed } from '../jobs/end-of-followed.ts';
import { outcomeOf } from '../jobs/job-outcome.ts';
import { jobStore } from '../jobs/job-store.ts';
import { restorableNoun, undoDeletion } from './undo-deletion.ts';

export interface BulkWork {
  readonly noun: string;
  /** Title of the toast. */
  readonly title: string;
}

/** Shows the outcome of a bulk action that runs as a job, once it has ended. */
export async function showBulkOutcome(
  queryClient: QueryClient,
  work: FollowedWork,
  resumed?: Resumed,
): Promise<void> {
  const { noun, title } = work.data as BulkWork;
  const job = await endOfFollowed(work, resumed);
  if (job === null) return;
  // The outcome of a deleted job is unknown, and the refetched list shows the result.
  if (job === 'deleted') toast.close(work.id);
  else {
    const tone = job.state === 'succeeded' ? 'success' : job.state === 'failed' ? 'error' : 'info';
    const restorable = restorableNoun(job);
    const undo = restorable && {
      label: 'Undo',
      onClick: () => void undoDeletion(queryClient, job._id, restorable),
    };
    toast[tone](title, outcomeOf(job) ?? undefined, {
      id: work.id,
      ...(undo && { action: undo, onClose: endUndoWhenRestored(job._id, work.id) }),
    });
  }
  void queryClient.invalidateQueries({ queryKey: [noun] });
}

/** Ends Undo of a toast when the deletion was undone elsewhere. @returns to be called when the toast closes */
function endUndoWhenRestored(jobId: string, toastId: string): () => void {
  return jobStore.subscribeTo([jobId], () => {
    const job = jobStore.find(jobId);
    if (job !== undefined && restorableNoun(job) === undefined)
      toast.endAction(toastId, outcomeOf(job) ?? undefined);
  });
}
