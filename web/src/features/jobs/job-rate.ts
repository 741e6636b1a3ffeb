import type { Job } from '@riskboard/contract';
import { useMemo, useSyncExternalStore } from 'react';
import { jobStore } from '../../lib/jobs/job-store.ts';

/** Progress of a running job at one moment. `at` in milliseconds of a monotonic clock. */
export interface Sample {
  readonly at: number;
  readonly phase: string;
  readonly done: number;
}

/** Only recent samples count, so that a pause shows soon. */
const windowMs = 10_000;
/** Rates over a shorter span are too inaccurate to show. */
const shortestMs = 500;

/** Adds the current progress of a job. A new phase starts over because it counts in another unit. */
export function sampled(samples: readonly Sample[], job: Job, at: number): readonly Sample[] {
  const { phase, done } = job.progress;
  const last = samples.at(-1);
  if (last?.phase === phase && last.done === done) return samples;
  const same = samples.filter((sample) => sample.phase === phase && at - sample.at <= windowMs);
  return [...same, { at, phase, done }];
}

/** Units per second over the samples; null while there are too few. */
export function rateOf(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < shortestMs || last.done <= first.done) return null;
  return ((last.done - first.done) * 1000) / (last.at - first.at);
}

/**
 * Milliseconds from the start of a job to its end or to `now`; null before it starts. Never negative, although the
 * clocks of two machines may differ.
 */
export function elapsedOf(job: Job, now: number): number | null {
  if (job.startedAt === null) return null;
  const end = job.finishedAt === null ? now : Date.parse(job.finishedAt);
  return Math.max(0, end - Date.parse(job.startedAt));
}

/** Measures a running job while a component subscribes. */
function createMeter(id: string) {
  let samples: readonly Sample[] = [];
  return {
    subscribe: (listener: () => void) =>
      jobStore.subscribeTo([id], () => {
        const job = jobStore.find(id);
        samples = job?.state === 'running' ? sampled(samples, job, performance.now()) : [];
        listener();
      }),
    rate: () => rateOf(samples),
  };
}

/**
 * Units per second of a running job, measured while a component uses this hook; null while there are too few samples.
 */
export function useJobRate({ _id }: Job): number | null {
  const meter = useMemo(() => createMeter(_id), [_id]);
  return useSyncExternalStore(meter.subscribe, meter.rate);
}
