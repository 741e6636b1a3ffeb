import {
  type CwssCounts,
  isJobKind,
  type Job,
  type JobKind,
  type RecomputeResult,
} from '@riskboard/contract';
import {
  cancelledSentence,
  formatCount,
  outcomeTexts,
  plural,
  removedText,
  resultSentence,
} from '@riskboard/domain';
import { formatScore } from '../format/format.ts';
import { importOutcomes } from './import-outcomes.ts';

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

const recordVerbs: Partial<Record<JobKind, string>> = {
  'records.delete': 'Deleted',
  'records.restore': 'Restored',
};

/** The result of a job in one sentence, the same wherever it is shown. Null before it has ended. */
export function outcomeOf(job: Job): string | null {
  if (job.state === 'failed') return job.error?.message ?? 'The job failed.';
  if (job.state === 'cancelled') return cancelledSentence;
  if (job.state !== 'succeeded' || job.result === null || !isJobKind(job.kind)) return null;
  const { result } = job;
  if ('failed' in result && 'rows' in result) {
    const isWritten = job.kind !== 'csv.check';
    return resultSentence(
      `${isWritten ? 'Imported' : 'Checked'} ${plural(result.rows, 'row')}`,
      importOutcomes(result, { isWritten }),
    );
  }
  if ('restored' in result) {
    const { deleted, restored, kept } = result;
    return resultSentence('Undid the import', outcomeTexts({ deleted, restored, kept }));
  }
  if ('created' in result) {
    const { records, created, updated, unchanged, skipped } = result;
    const all = plural(records, 'record');
    return resultSentence(
      `Extracted ${skipped === 0 ? all : `${formatCount(records - skipped)} of ${all}`}`,
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
    const restored = 'restoration' in result ? (result.restoration?.count ?? 0) : 0;
    const done = recordVerbs[job.kind] ?? 'Changed';
    const kept = job.kind === 'records.update' ? unchanged : 0;
    const others = [
      ...outcomeTexts({ unchanged: kept }),
      ...skippedTexts(skipped),
      ...outcomeTexts({ restored }),
    ];
    return `${[`${done} ${plural(changed, 'record')}`, ...others].join(', ')}.`;
  }
  if (!('objects' in result)) return null;
  const { objects, vulnerabilityRecords, threatRecords, failed, warnings, removed } = result;
  return resultSentence(`Read ${plural(objects, 'object')}`, [
    plural(vulnerabilityRecords + threatRecords, 'active record'),
    ...outcomeTexts({ 'not readable': failed }),
    ...(warnings === 0 ? [] : [plural(warnings, 'warning')]),
    ...(removed ? [`${removedText(removed)} (no longer in this version)`] : []),
  ]);
}
