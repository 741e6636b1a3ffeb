import type { Job } from '@riskboard/contract';
import { formatCount, formatSize } from '../../lib/format/format.ts';
import { unitOf } from '../../lib/jobs/job-labels.ts';
import { useNow } from '../../lib/hooks/use-now.ts';
import { duration, elapsedOf } from './job-rate.ts';
import { useJobRate } from './job-samples.ts';

/** Done of total in the unit of the phase, rate and elapsed time of a running job. */
export function JobNumbers({ job }: { job: Job }) {
  const now = useNow(1000);
  const rate = useJobRate(job);
  const elapsed = elapsedOf(job, now);
  const { done, total } = job.progress;
  const unit = unitOf(job);
  const amount = (value: number) => (unit === 'bytes' ? formatSize(value) : formatCount(Math.round(value)));
  const parts = [
    total > 0 && `${amount(done)} of ${amount(total)}${unit === 'bytes' ? '' : ` ${unit}`}`,
    total <= 0 && done > 0 && `${amount(done)}${unit === 'bytes' ? '' : ` ${unit}`}`,
    rate !== null && `${amount(rate)}${unit === 'bytes' ? '' : ` ${unit}`}/s`,
    elapsed !== null && duration(elapsed),
  ];
  return <>{parts.filter((part) => part !== false).join(' · ')}</>;
}
