import type { QueryClient } from '@tanstack/react-query';
import { toast } from '../../ui/feedback/toast.ts';
import type { FollowedWork } from '../jobs/followed-work.ts';
import { endOfFollowed, type Resumed } from '../jobs/end-of-followed.ts';
import { outcomeOf } from '../jobs/job-outcome.ts';
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
    toast[tone](title, outcomeOf(job) ?? undefined, { id: work.id, ...(undo && { action: undo }) });
  }
  void queryClient.invalidateQueries({ queryKey: [noun] });
}
