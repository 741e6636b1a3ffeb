import { useEffect } from 'react';
import { workProgress } from '../../lib/browser/work-progress.ts';
import { useStore } from '../../lib/browser/store.ts';
import { isLive, type JobMap, useJobs } from '../../lib/jobs/job-store.ts';

/**
 * Counts the jobs since no job was active: those that have ended, and the progress of those that run.
 * @param seen jobs since then; changed
 */
export function progressOfJobs(jobs: JobMap, seen: Set<string>): number | null {
  let active = 0;
  let partly = 0;
  for (const job of jobs.values()) {
    if (!isLive(job)) continue;
    seen.add(job._id);
    active += 1;
    const { done, total } = job.progress;
    if (job.state === 'running' && total > 0) partly += Math.min(1, done / total);
  }
  if (active === 0) {
    seen.clear();
    return null;
  }
  return (seen.size - active + partly) / seen.size;
}

/** A color that is the same in both themes: an icon has no access to the styles of the page. */
const colorOf = (token: '--icon-track' | '--icon-progress') =>
  getComputedStyle(document.documentElement).getPropertyValue(token);

/** The icon with a ring that shows the progress. Sizes in the units of its view box. */
function iconOf(progress: number): string {
  const around = 2 * Math.PI * 13;
  const shape = 'cx="16" cy="16" r="13" fill="none" stroke-width="6"';
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle ${shape} stroke="${colorOf('--icon-track')}" stroke-opacity=".35"/><circle ${shape} stroke="${colorOf('--icon-progress')}" stroke-dasharray="${around * progress} ${around}" transform="rotate(-90 16 16)"/></svg>`,
  )}`;
}

const iconLink = () => document.querySelector<HTMLLinkElement>('link[rel="icon"]');

/** Steps of the icon: browsers draw it again for each change. */
const iconSteps = 20;

const seen = new Set<string>();

/** Shows the progress of the background jobs in the window title and its icon; mount once. */
export function WorkProgress() {
  const jobs = useJobs();
  const progress = useStore(workProgress);
  const step = progress === null ? null : Math.floor(progress * iconSteps) / iconSteps;

  useEffect(() => workProgress.set(progressOfJobs(jobs, seen)), [jobs]);
  useEffect(() => () => workProgress.set(null), []);
  useEffect(() => {
    const link = iconLink();
    if (step === null || link === null) return undefined;
    const plain = link.href;
    link.href = iconOf(step);
    return () => {
      link.href = plain;
    };
  }, [step]);
  return null;
}
