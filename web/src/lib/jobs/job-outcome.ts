import type { Job } from '@riskboard/contract';
import { formatCount, plural } from '../format/format.ts';
import { stateWords } from './job-labels.ts';

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
