import type { Job } from '@riskboard/contract';
import { followedWork, type FollowedWork } from './followed-work.ts';
import { endOfJob } from './wait-for-job.ts';

/** Whether the work was started before a reload of the page: it may have ended already. */
export interface Resumed {
  readonly isResumed?: boolean;
}

/**
 * Waits for the end of a followed job.
 * @returns null when its end is not to be shown: another user has logged in, or it was shown
 */
export async function endOfFollowed(
  { id }: FollowedWork,
  { isResumed = false }: Resumed = {},
): Promise<Job | 'deleted' | null> {
  let job: Job | 'deleted';
  try {
    job = await endOfJob(id, { mayHaveEnded: isResumed });
  } catch {
    job = 'deleted';
  }
  return followedWork.end(id) ? job : null;
}
