import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import { type JobKind, jobKinds } from '@riskboard/contract';
import type { Deps } from './deps.ts';

/** Seconds: from one score to a report of hundreds of megabytes. */
const buckets = [0.05, 0.25, 1, 5, 15, 60, 300, 1800];
const outcomes = ['succeeded', 'failed', 'retrying', 'waiting', 'returned', 'superseded'] as const;

/** Counts the runs of jobs in this process, by kind and outcome, and their durations. */
export function measureJobs(registry: Registry, concurrency: number): NonNullable<Deps['onRunEnd']> {
  const labelNames = ['kind', 'outcome'] as const;
  const count = new Counter({
    name: 'riskboard_job_runs_total',
    help: 'Runs of jobs that ended, by kind and outcome.',
    labelNames,
    registers: [registry],
  });
  // From 0, so that the first failure is an increase.
  for (const kind of Object.keys(jobKinds) as JobKind[])
    for (const outcome of outcomes) count.inc({ kind, outcome }, 0);
  const duration = new Histogram({
    name: 'riskboard_job_run_duration_seconds',
    help: 'Seconds that a run of a job took, by kind and outcome.',
    labelNames,
    buckets,
    registers: [registry],
  });
  new Gauge({
    name: 'riskboard_worker_concurrency',
    help: 'Jobs that this worker runs at once.',
    registers: [registry],
  }).set(concurrency);
  return ({ kind, outcome, seconds }) => {
    count.inc({ kind, outcome });
    duration.observe({ kind, outcome }, seconds);
  };
}
