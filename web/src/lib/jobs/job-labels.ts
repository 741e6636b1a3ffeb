import {
  type CwssCounts,
  type Job,
  isJobKind,
  jobKindLabel,
  jobPhase,
  type JobState,
  type RecomputeResult,
} from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { formatScore } from '../format/format.ts';

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

/** State of a job for display; while it runs, its phase. */
export function stageOf(job: Job): string {
  if (job.state === 'queued') return job.attempt > 1 ? 'Waiting for the next try' : 'Waiting for a worker';
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

const skippedTexts = (skipped: CwssCounts['skipped']): string[] =>
  skipped.map(({ reason, count }) => `${formatCount(count)} skipped: ${reason}`);

/** 'Scored 12 of 14 vulnerabilities, 2 unchanged'; of one vulnerability: 'CWSS 71.3 of 100'. */
function calculationText({ matched, changed, unchanged, skipped, cwssScore }: CwssCounts): string {
  const scored =
    cwssScore === undefined
      ? `Scored ${formatCount(changed)} of ${plural(matched, 'vulnerability', 'vulnerabilities')}`
      : `CWSS ${formatScore(cwssScore)} of 100`;
  return [
    scored,
    ...(unchanged === 0
      ? []
      : [cwssScore === undefined ? `${formatCount(unchanged)} unchanged` : 'unchanged']),
    ...skippedTexts(skipped),
  ].join(', ');
}

/** 'No difference', or how many numbers of the overview were repaired. */
export const recountText = ({ repaired, recounted }: RecomputeResult): string =>
  repaired === 0 && recounted === 0
    ? 'No difference'
    : [
        `${plural(repaired, 'difference')} repaired`,
        ...(recounted === 0
          ? []
          : [`assets of ${plural(recounted, 'vulnerability', 'vulnerabilities')} counted again`]),
      ].join(' · ');

/** Issues of a job that succeeded: objects that could not be read, warnings, or skipped records. */
export function issuesOf({ state, kind, result }: Pick<Job, 'state' | 'kind' | 'result'>): number {
  if (state !== 'succeeded' || result === null) return 0;
  if (kind === 'stix.parse' && 'warnings' in result) return result.failed + result.warnings;
  return kind === 'stix.extract' && 'skipped' in result && typeof result.skipped === 'number'
    ? result.skipped
    : 0;
}

/** Outcome of a job in one line: its counts, or the error. Null before it has ended. */
export function outcomeOf(job: Job): string | null {
  if (job.state === 'failed') return job.error?.message ?? stateLabels.failed;
  if (job.state === 'cancelled') return stateLabels.cancelled;
  if (job.state !== 'succeeded' || job.result === null || !isJobKind(job.kind)) return null;
  const { result } = job;
  if ('failed' in result && 'rows' in result) {
    const { created, updated, unchanged, failed } = result;
    return [
      `${formatCount(created)} created`,
      `${formatCount(updated)} updated`,
      `${formatCount(unchanged)} unchanged`,
      `${formatCount(failed)} failed`,
    ].join(' · ');
  }
  if ('restored' in result) {
    const { deleted, restored, kept } = result;
    return [
      `${formatCount(deleted)} deleted`,
      `${formatCount(restored)} restored`,
      `${formatCount(kept)} kept`,
    ].join(' · ');
  }
  if ('created' in result) {
    const { created, updated, unchanged, skipped } = result;
    return [
      `${formatCount(created)} created`,
      `${formatCount(updated)} updated`,
      `${formatCount(unchanged)} unchanged`,
      `${formatCount(skipped)} skipped`,
    ].join(' · ');
  }
  if ('previousVersion' in result)
    return result.entries === 0
      ? `CWE ${result.version} is current`
      : `CWE ${result.version} · ${plural(result.entries, 'entry', 'entries')}`;
  if (job.kind === 'metrics.recompute') return recountText(result as RecomputeResult);
  if (job.kind === 'cwss.calculate') return calculationText(result as CwssCounts);
  if ('matched' in result) {
    return [
      `${formatCount(result.changed)} ${job.kind === 'records.delete' ? 'deleted' : 'changed'}`,
      ...(job.kind === 'records.delete' ? [] : [`${formatCount(result.unchanged)} unchanged`]),
      ...skippedTexts(result.skipped ?? []),
    ].join(' · ');
  }
  if (!('objects' in result)) return null;
  const records = result.vulnerabilityRecords + result.threatRecords;
  return `${plural(result.objects, 'object')} · ${plural(records, 'active record')}`;
}
