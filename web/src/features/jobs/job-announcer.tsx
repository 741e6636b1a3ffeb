import { type Job, jobKindLabel } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useEffect, useState } from 'react';
import { isLive, jobStore } from '../../lib/jobs/job-store.ts';

/** Milliseconds for which changes are collected, so that a bulk upload is announced once. */
const gather = 1000;

/** Announces started and ended jobs to screen readers. */
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

/** Above this number of ended jobs, only their count is announced. */
const mostNamed = 3;

const endLabels = { succeeded: 'done', failed: 'failed', cancelled: 'cancelled' } as const;

/**
 * The announcement for a change of the job store: started and ended jobs only, never progress (stack, live progress).
 * Jobs that are new to the store and have already ended are ignored.
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
      news.push(`${subject(job)} ${endLabels[job.state]}.`);
    }
  }
  if (news.length === 0) return null;
  if (news.length <= mostNamed) return news.join(' ');
  return `${formatCount(news.length)} background jobs changed.`;
}

const subject = (job: Job): string => `${jobKindLabel(job.kind)}: ${job.fileName ?? 'job'}`;
