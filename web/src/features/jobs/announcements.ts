import { jobKinds, type Job } from '@riskboard/contract';
import { isLive } from '../../lib/jobs/job-labels.ts';

/** More ends than this at once are told as a number: a reader of the screen must get a word in. */
const mostNamed = 3;

const endWords = { succeeded: 'done', failed: 'failed', cancelled: 'cancelled' } as const;

/**
 * What to say aloud about the step from one state of the jobs to the next: starts and ends only,
 * never progress (stack, live progress). Jobs that are new and already at an end were history, not news.
 */
export function announcementOf(
  before: ReadonlyMap<string, Job>,
  after: ReadonlyMap<string, Job>,
): string | null {
  const news: string[] = [];
  for (const [id, job] of after) {
    const previous = before.get(id);
    if (previous?.state === job.state) continue;
    if (job.state === 'running') news.push(`${subject(job)} started.`);
    else if (previous && isLive(previous) && job.state !== 'queued') {
      news.push(`${subject(job)} ${endWords[job.state]}.`);
    }
  }
  if (news.length === 0) return null;
  if (news.length <= mostNamed) return news.join(' ');
  return `${news.length} background jobs changed.`;
}

const subject = (job: Job): string => `${jobKinds[job.kind].label}: ${job.fileName ?? 'job'}`;
