import type { Batch } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { useState } from 'react';
import { duration } from '../../lib/format/duration.ts';
import { formatSize } from '../../lib/format/format.ts';
import { useNow } from '../../lib/hooks/use-now.ts';
import { fileStateLooks, fileStateOrder, progressOf } from './batch-labels.ts';
import { isActive } from './queries.ts';
import { type Sample, timeLeft, withSample } from './time-left.ts';

/** How long the rest of a running batch takes at the rate since the page was opened, or how long a batch took. */
function Duration({ batch }: { batch: Batch }) {
  const now = useNow(1000);
  const { ended, expected } = progressOf(batch);
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  // A break, such as before a retry, starts over.
  const next = batch.status === 'running' ? withSample(samples, { at: now, done: ended }) : [];
  if (next.length !== samples.length || next.at(-1) !== samples.at(-1)) setSamples(next);
  const left = timeLeft(samples, { now, left: expected - ended });
  if (left !== null) return <span>about {duration(left)} left</span>;
  const { processingSeconds = 0 } = batch;
  return processingSeconds > 0 && <span>processed in {duration(processingSeconds * 1000)}</span>;
}

/** Live totals of a batch: one bar of all states, their counts, and the records. */
export function BatchTotals({ batch }: { batch: Batch }) {
  const { ended, done, expected } = progressOf(batch);
  const whole = Math.max(1, expected);
  const records = [
    ['Records created', batch.created],
    ['Updated', batch.updated],
    ['Unchanged', batch.unchanged],
    ['Skipped', batch.skipped],
    ['Issues', batch.issues],
  ] as const;
  return (
    <section aria-label="Totals" className="mb-5 flex flex-col gap-4 rounded border bg-surface p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="text-2xl font-semibold tracking-tight tabular-nums">
          {formatCount(done)}
          <span className="text-base font-normal text-muted"> of {formatCount(expected)} files done</span>
        </p>
        <p className="flex flex-wrap gap-x-4 text-sm text-muted tabular-nums">
          <span>{formatSize(batch.bytes)}</span>
          <Duration batch={batch} />
        </p>
      </div>
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- parts of progress cannot be styled in every browser
        role="progressbar"
        aria-label="Progress of the batch"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round((ended / whole) * 100)}
        className="flex h-2.5 w-full forced-color-adjust-none overflow-hidden rounded-full bg-sunken"
      >
        {fileStateOrder.map((state) => (
          <span
            key={state}
            className={`${fileStateLooks[state].fill} transition-[width] motion-reduce:transition-none`}
            style={{ width: `${(batch.states[state] / whole) * 100}%` }}
          />
        ))}
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {fileStateOrder.map((state) => (
          <div key={state} className="flex flex-col">
            <dt className="flex items-center gap-1.5 text-sm text-muted">
              <span aria-hidden className={`size-2 rounded-full ${fileStateLooks[state].fill}`} />
              {fileStateLooks[state].label}
            </dt>
            <dd className="text-lg font-semibold tabular-nums">{formatCount(batch.states[state])}</dd>
          </div>
        ))}
      </dl>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t pt-3">
        {records.map(([label, value]) => (
          <div key={label} className="flex items-baseline gap-2">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-medium tabular-nums">{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
      {isActive(batch) || batch.states.failed === batch.retriable ? null : (
        <p className="text-sm text-muted">
          {plural(batch.states.failed - batch.retriable, 'failed file')} cannot be retried: refused at the
          upload, replaced or deleted.
        </p>
      )}
    </section>
  );
}
