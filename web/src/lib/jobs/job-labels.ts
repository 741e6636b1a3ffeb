import {
  type CwssCounts,
  type Job,
  isJobKind,
  jobKindLabel,
  jobPhase,
  type JobState,
  type RecomputeResult,
} from '@riskboard/contract';
import { cancelledSentence, formatCount, outcomeTexts, plural, resultSentence } from '@riskboard/domain';
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
      ].join(', ');

/** Issues of a job that succeeded: objects that could not be read, warnings, or skipped records. */
export function issuesOf({ state, kind, result }: Pick<Job, 'state' | 'kind' | 'result'>): number {
  if (state !== 'succeeded' || result === null) return 0;
  if (kind === 'stix.parse' && 'warnings' in result) return result.failed + result.warnings;
  return kind === 'stix.extract' && 'skipped' in result && typeof result.skipped === 'number'
    ? result.skipped
    : 0;
}

/** The result of a job in one sentence, the same wherever it is shown. Null before it has ended. */
export function outcomeOf(job: Job): string | null {
  if (job.state === 'failed') return job.error?.message ?? 'The job failed.';
  if (job.state === 'cancelled') return cancelledSentence;
  if (job.state !== 'succeeded' || job.result === null || !isJobKind(job.kind)) return null;
  const { result } = job;
  if ('failed' in result && 'rows' in result) {
    const { rows, created, updated, unchanged, failed } = result;
    const done = job.kind === 'csv.check' ? 'Checked' : 'Imported';
    return resultSentence(
      `${done} ${plural(rows, 'row')}`,
      outcomeTexts({ created, updated, unchanged, failed }),
    );
  }
  if ('restored' in result) {
    const { deleted, restored, kept } = result;
    return resultSentence('Undid the import', outcomeTexts({ deleted, restored, kept }));
  }
  if ('created' in result) {
    const { records, created, updated, unchanged, skipped } = result;
    return resultSentence(
      `Extracted ${plural(records, 'record')}`,
      outcomeTexts({ created, updated, unchanged, skipped }),
    );
  }
  if ('previousVersion' in result)
    return result.entries === 0
      ? `CWE ${result.version} is current.`
      : `Loaded ${plural(result.entries, 'entry', 'entries')} of CWE ${result.version}.`;
  if (job.kind === 'metrics.recompute') return `${recountText(result as RecomputeResult)}.`;
  if (job.kind === 'cwss.calculate') return `${calculationText(result as CwssCounts)}.`;
  if ('matched' in result) {
    const { changed, unchanged, skipped = [] } = result;
    const [done, kept] = job.kind === 'records.delete' ? ['Deleted', 0] : ['Changed', unchanged];
    const others = [...outcomeTexts({ unchanged: kept }), ...skippedTexts(skipped)];
    return `${[`${done} ${plural(changed, 'record')}`, ...others].join(', ')}.`;
  }
  if (!('objects' in result)) return null;
  const { objects, vulnerabilityRecords, threatRecords, failed, warnings } = result;
  return resultSentence(`Read ${plural(objects, 'object')}`, [
    plural(vulnerabilityRecords + threatRecords, 'active record'),
    ...outcomeTexts({ 'not readable': failed }),
    ...(warnings === 0 ? [] : [plural(warnings, 'warning')]),
  ]);
}
