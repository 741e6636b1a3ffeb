import { type Job, jobKindLabel, jobPhase, type JobState, waitingPhases } from '@riskboard/contract';

/** Name of a job: its file's name, or its kind for a job without a file. */
export const subjectOf = ({ kind, fileName }: Pick<Job, 'kind' | 'fileName'>): string =>
  fileName ?? (kind.startsWith('stix.') ? 'Deleted file' : jobKindLabel(kind));

export const stateLabels = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const satisfies Record<JobState, string>;

const phaseOf = ({ kind, progress }: Job) => jobPhase(kind, progress.phase);

/** Whether a queued job starts only after another one has read the report. */
export const waitsForReport = ({ state, progress }: Job): boolean =>
  state === 'queued' && progress.phase === waitingPhases.report;

/** What a queued job waits for. */
function waitOf(job: Job): string {
  if (job.progress.phase === waitingPhases.batch) return 'The batch is paused';
  if (waitsForReport(job)) return 'Waiting for the report';
  // It has an error while it waits after a failed run. `attempt` also counts runs that a worker gave back.
  return job.error === null ? 'Waiting for a worker' : 'Waiting for the next try';
}

/** State of a job for display; while it is queued, what it waits for; while it runs, its phase. */
export function stageOf(job: Job): string {
  if (job.state === 'queued') return waitOf(job);
  if (job.state !== 'running') return stateLabels[job.state];
  return phaseOf(job)?.label ?? 'Starting';
}

export const unitOf = (job: Job) => phaseOf(job)?.unit ?? 'records';

/** Whole percent, 0 to 100; null while the total is unknown. */
export function percentOf(job: Job): number | null {
  if (job.state === 'succeeded') return 100;
  const { done, total } = job.progress;
  if (total <= 0) return null;
  return Math.min(100, Math.floor((done / total) * 100));
}

/** Issues of a job that succeeded: objects that could not be read, warnings, or skipped records. */
export function issuesOf({ state, kind, result }: Pick<Job, 'state' | 'kind' | 'result'>): number {
  if (state !== 'succeeded' || result === null) return 0;
  if (kind === 'stix.parse' && 'warnings' in result) return result.failed + result.warnings;
  return kind === 'stix.extract' && 'skipped' in result && typeof result.skipped === 'number'
    ? result.skipped
    : 0;
}
