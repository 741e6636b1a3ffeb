import type { Job, JobKind, JobState } from '@riskboard/contract';
import { formatCount, plural } from '../format/format.ts';

/** What a job does, as a person would say it. */
export const kindWords = {
  'stix.parse': 'Read report',
  'stix.extract': 'Extract data',
  'records.delete': 'Delete records',
  'records.update': 'Change records',
  'organization.delete': 'Delete organization',
} as const satisfies Record<JobKind, string>;

/** What a job is about: its file; where it is of none, what it does. */
export const subjectOf = ({ kind, fileName }: Pick<Job, 'kind' | 'fileName'>): string =>
  fileName ?? (kind.startsWith('stix.') ? 'Deleted file' : kindWords[kind]);

export const stateWords = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const satisfies Record<JobState, string>;

interface Phase {
  readonly words: string;
  readonly unit: 'bytes' | 'objects' | 'records';
}

/** Phases that the workers name; one that is not listed is shown by its own name, counted in records. */
const phases: Readonly<Record<string, Phase>> = {
  reading: { words: 'Reading the file', unit: 'bytes' },
  saving: { words: 'Saving objects', unit: 'objects' },
  'extracting vulnerabilities': { words: 'Extracting vulnerabilities', unit: 'records' },
  'extracting threats': { words: 'Extracting threats', unit: 'records' },
};

function phaseOf(job: Job): Phase | null {
  const name = job.progress.phase;
  if (name === 'waiting' || name === 'starting') return null;
  return phases[name] ?? { words: name.charAt(0).toUpperCase() + name.slice(1), unit: 'records' };
}

/** What a job is at right now, in plain words. */
export function stageOf(job: Job): string {
  if (job.state === 'queued') return job.attempt > 1 ? 'Waiting for the next try' : 'Waiting for a worker';
  if (job.state !== 'running') return stateWords[job.state];
  return phaseOf(job)?.words ?? 'Starting';
}

export const unitOf = (job: Job): Phase['unit'] => phaseOf(job)?.unit ?? 'records';

/** Whole percent, 0 to 100; null while the total is unknown. */
export function percentOf(job: Job): number | null {
  if (job.state === 'succeeded') return 100;
  const { done, total } = job.progress;
  if (total <= 0) return null;
  return Math.min(100, Math.floor((done / total) * 100));
}

export const isLive = (job: Job): boolean => job.state === 'queued' || job.state === 'running';

/** What came of a job, in one line: its counts, or why it failed. Null while it is not at its end. */
export function outcomeOf(job: Job): string | null {
  if (job.state === 'failed') return job.error?.message ?? stateWords.failed;
  if (job.state === 'cancelled') return stateWords.cancelled;
  if (job.state !== 'succeeded' || job.result === null) return null;
  const { result } = job;
  if ('created' in result) {
    const { created, updated, unchanged, skipped } = result;
    return [
      `${formatCount(created)} created`,
      `${formatCount(updated)} updated`,
      `${formatCount(unchanged)} unchanged`,
      `${formatCount(skipped)} skipped`,
    ].join(' · ');
  }
  if ('matched' in result) {
    const skipped = result.skipped ?? [];
    return [
      `${formatCount(result.changed)} ${job.kind === 'records.delete' ? 'deleted' : 'changed'}`,
      ...(job.kind === 'records.delete' ? [] : [`${formatCount(result.unchanged)} unchanged`]),
      ...skipped.map(({ reason, count }) => `${formatCount(count)} skipped: ${reason}`),
    ].join(' · ');
  }
  // Nobody who could read it is left; the union has it.
  if ('deleted' in result) return plural(result.deleted, 'row');
  const records = result.vulnerabilityRecords + result.threatRecords;
  return `${plural(result.objects, 'object')} · ${plural(records, 'active record')}`;
}
