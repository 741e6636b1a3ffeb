import type { CwssCounts, Job } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import type { QueryClient } from '@tanstack/react-query';
import { quoted } from '../format/name-text.ts';
import { messageOf } from '../api/errors.ts';
import { formatScore } from '../format/format.ts';
import { endOfFollowed, type Resumed } from '../jobs/end-of-followed.ts';
import { followedWork, type FollowedWork } from '../jobs/followed-work.ts';
import { jobDrawer } from '../jobs/job-drawer-state.ts';
import { outcomeOf } from '../jobs/job-outcome.ts';
import { toast } from '../../ui/feedback/toast.ts';

/** What a followed calculation scores. */
export interface Calculation {
  /** Name of the vulnerability; absent for several. */
  readonly name?: string | undefined;
  readonly count: number;
}

/** 'Calculation applied' with the value (spec 8). */
export function showApplied({ score, name, id }: { score: number; name: string; id?: string }): void {
  toast.success(
    'Calculation applied',
    `The CWSS of ${quoted(name)} is ${formatScore(score)} of 100.`,
    id === undefined ? {} : { id },
  );
}

/** 'Calculation failed' with the message (spec 8). @param id of the toast, which the next attempt closes */
export function showCalculationFailed(error: unknown, id: string): void {
  toast.error('Calculation failed', messageOf(error, 'Please try again.'), { id });
}

/** 'Recalculation started' (spec 8), and follows the job, also over a reload of the page. */
export function followCalculation(queryClient: QueryClient, jobId: string, data: Calculation): void {
  const { name, count } = data;
  const what =
    name === undefined
      ? `${plural(count, 'vulnerability', 'vulnerabilities')} will be scored in the background.`
      : `${quoted(name)} will be scored in the background.`;
  toast.info('Recalculation started', what, {
    id: jobId,
    action: { label: 'Show progress', onClick: () => jobDrawer.set(true) },
  });
  const work = { id: jobId, kind: 'cwss', data };
  followedWork.add(work);
  void showCalculationEnd(queryClient, work);
}

/** Replaces the toast of a started calculation with its outcome, once it has ended. */
export async function showCalculationEnd(
  queryClient: QueryClient,
  work: FollowedWork,
  resumed?: Resumed,
): Promise<void> {
  const { name } = work.data as Calculation;
  const job = await endOfFollowed(work, resumed);
  if (job === null) return;
  // The outcome of a deleted job is unknown, and the refetched list shows the result.
  if (job === 'deleted') toast.close(work.id);
  else showEnd(job, name);
  void queryClient.invalidateQueries({ queryKey: ['vulnerabilities'] });
}

function showEnd(job: Job, name: string | undefined): void {
  const options = { id: job._id };
  const outcome = outcomeOf(job) ?? undefined;
  if (job.state === 'failed') return void toast.error('Calculation failed', outcome, options);
  if (job.state === 'cancelled') {
    return void toast.info('Calculation cancelled', 'No score was changed.', options);
  }
  const { changed, unchanged, cwssScore } = job.result as CwssCounts;
  if (changed + unchanged === 0) return void toast.info('No score calculated', outcome, options);
  if (name !== undefined && cwssScore !== undefined) {
    return showApplied({ score: cwssScore, name, id: job._id });
  }
  toast.success('Calculation applied', outcome, options);
}
