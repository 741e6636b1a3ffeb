import { jobKinds, jobPhase, type Job, type JobState } from '@riskboard/contract';

/** What a job is about: its file; where it is of none, what it does. */
export const subjectOf = ({ kind, fileName }: Pick<Job, 'kind' | 'fileName'>): string =>
  fileName ?? (kind.startsWith('stix.') ? 'Deleted file' : jobKinds[kind].label);

export const stateWords = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const satisfies Record<JobState, string>;

/** What a job is at right now, in plain words. */
export function stageOf(job: Job): string {
  if (job.state === 'queued') return job.attempt > 1 ? 'Waiting for the next try' : 'Waiting for a worker';
  if (job.state !== 'running') return stateWords[job.state];
  return jobPhase(job.kind, job.progress.phase)?.label ?? 'Starting';
}

export const unitOf = (job: Job) => jobPhase(job.kind, job.progress.phase)?.unit ?? 'records';

/** Whole percent, 0 to 100; null while the total is unknown. */
export function percentOf(job: Job): number | null {
  if (job.state === 'succeeded') return 100;
  const { done, total } = job.progress;
  if (total <= 0) return null;
  return Math.min(100, Math.floor((done / total) * 100));
}

export const isLive = (job: Job): boolean => job.state === 'queued' || job.state === 'running';
