import type { Job } from '@riskboard/contract';
import { useSyncExternalStore } from 'react';
import { jobStore } from '../../lib/jobs/job-store.ts';

/** One look at a running job. `at` in milliseconds. */
export interface Sample {
  readonly at: number;
  readonly phase: string;
  readonly done: number;
}

/** A rate speaks of the recent past, so that a pause shows soon. */
const windowMs = 10_000;
/** A shorter span than this makes a rate of noise. */
const shortestMs = 500;

/** Adds what a job says now; a new phase counts in another unit and starts over. */
export function sampled(samples: readonly Sample[], job: Job, at: number): readonly Sample[] {
  const { phase, done } = job.progress;
  const last = samples.at(-1);
  if (last?.phase === phase && last.done === done) return samples;
  const same = samples.filter((sample) => sample.phase === phase && at - sample.at <= windowMs);
  return [...same, { at, phase, done }];
}

/** Units a second over the last samples; null while there is too little to say it. */
export function rateOf(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < shortestMs || last.done <= first.done) return null;
  return ((last.done - first.done) * 1000) / (last.at - first.at);
}

/** Milliseconds a job has run, or ran; null before it starts. Never negative: clocks of two machines differ. */
export function elapsedOf(job: Job, now: number): number | null {
  if (job.startedAt === null) return null;
  const end = job.finishedAt === null ? now : Date.parse(job.finishedAt);
  return Math.max(0, end - Date.parse(job.startedAt));
}

/** 'under 0.1 s', '0.4 s', '12 s', '3 min 05 s', '1 h 02 min'. */
export function duration(ms: number): string {
  if (ms < 50) return 'under 0.1 s';
  if (ms < 950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** What running jobs said lately, by id. */
const samples = new Map<string, readonly Sample[]>();

function look(): void {
  const now = Date.now();
  for (const job of jobStore.get().values()) {
    if (job.state === 'running') samples.set(job._id, sampled(samples.get(job._id) ?? [], job, now));
    else samples.delete(job._id);
  }
}

const subscribe = (listener: () => void) =>
  jobStore.subscribe(() => {
    look();
    listener();
  });

/** Units a second of a running job, from what it said while somebody looked; null while nobody can say. */
export const useJobRate = (job: Job): number | null =>
  useSyncExternalStore(subscribe, () => rateOf(samples.get(job._id) ?? []));
