import { type Job, jobKinds } from '@riskboard/contract';
import { useEffect, useState } from 'react';
import { isLive } from '../../lib/jobs/job-labels.ts';
import { jobStore } from '../../lib/jobs/job-store.ts';

/** Milliseconds for which changes are gathered, so that a bulk upload does not talk without end. */
const gather = 1000;

/** Says aloud what starts and ends, to those who do not see it. */
export function JobAnnouncer() {
  const [said, setSaid] = useState('');
  useEffect(() => {
    let before = jobStore.get();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = jobStore.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        const after = jobStore.get();
        const news = announcementOf(before, after);
        before = after;
        if (news !== null) setSaid(news);
      }, gather);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, []);
  return (
    <output aria-label="Background jobs" className="sr-only">
      {said}
    </output>
  );
}

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
