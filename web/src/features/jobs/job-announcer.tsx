import { type Job, jobKindLabel } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useEffect, useState } from 'react';
import { isLive, jobStore } from '../../lib/jobs/job-store.ts';

/** Milliseconds for which changes of the store are collected before they are compared. */
const gather = 1000;

/** Milliseconds without a started or ended job after which those before are announced. */
const settle = 3000;

/** Milliseconds between announcements, and the longest that one waits while jobs start and end all the time. */
const interval = 30_000;

/** Announces started and ended jobs to screen readers; those of a bulk upload together, now and then. */
export function JobAnnouncer() {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const news = new Map<string, ChangedJob>();
    let before = jobStore.get();
    let collecting: ReturnType<typeof setTimeout> | undefined;
    let announcing: ReturnType<typeof setTimeout> | undefined;
    let firstAt = 0;
    let announcedAt = -Infinity;

    function announce(): void {
      announcedAt = performance.now();
      setSaid(announcementOf([...news.values()]));
      news.clear();
    }

    function collect(): void {
      collecting = undefined;
      const after = jobStore.get();
      const changed = changedJobs(before, after);
      before = after;
      if (changed.length === 0) return;
      const now = performance.now();
      if (news.size === 0) firstAt = now;
      for (const job of changed) news.set(job._id, job);
      const at = Math.max(Math.min(now + settle, firstAt + interval), announcedAt + interval);
      clearTimeout(announcing);
      announcing = setTimeout(announce, at - now);
    }

    const unsubscribe = jobStore.subscribe(() => {
      collecting ??= setTimeout(collect, gather);
    });
    return () => {
      unsubscribe();
      clearTimeout(collecting);
      clearTimeout(announcing);
    };
  }, []);
  return (
    <output aria-label="Background jobs" className="sr-only">
      {said}
    </output>
  );
}

/** Above this number of jobs, only their counts are announced. */
const mostNamed = 3;

const changeLabels = {
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  running: 'started',
} as const;

type ChangedJob = Job & { state: keyof typeof changeLabels };

/**
 * Jobs that started or ended between two states of the store, never those with progress only (stack, live progress).
 * Jobs that are new to the store and have already ended are left out.
 */
function changedJobs(before: ReadonlyMap<string, Job>, after: ReadonlyMap<string, Job>): ChangedJob[] {
  return [...after.values()].filter((job): job is ChangedJob => {
    const previous = before.get(job._id);
    if (job.state === 'queued' || previous?.state === job.state) return false;
    return job.state === 'running' || (previous !== undefined && isLive(previous));
  });
}

/** The announcement of started and ended jobs: their names, or their number by state. */
function announcementOf(changed: readonly ChangedJob[]): string {
  if (changed.length <= mostNamed) {
    return changed.map((job) => `${subject(job)} ${changeLabels[job.state]}.`).join(' ');
  }
  const counts = Object.entries(changeLabels).flatMap(([state, label]) => {
    const count = changed.filter((job) => job.state === state).length;
    return count === 0 ? [] : [`${formatCount(count)} ${label}`];
  });
  return `Background jobs: ${counts.join(', ')}.`;
}

const subject = (job: Job): string => `${jobKindLabel(job.kind)}: ${job.fileName ?? 'job'}`;
