import type { BatchAttempt, BatchFile } from '@riskboard/contract';
import { useNow } from '../../lib/hooks/use-now.ts';
import { duration } from '../../lib/format/duration.ts';

interface Span {
  label: string;
  from: number;
  to: number;
  fill: string;
}

const outcomeLabels = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  retried: 'failed and was tried again',
  lost: 'ended because its worker stopped',
} as const satisfies Record<NonNullable<BatchAttempt['outcome']>, string>;

const stepLooks = {
  read: { label: 'Read', fill: 'bg-accent' },
  extract: { label: 'Extract', fill: 'bg-success' },
} as const;

const time = (value: string | null, now: number): number => (value === null ? now : Date.parse(value));

/** Queued, read and extracted, one after the other; each attempt is a part of its step. */
function spansOf(file: BatchFile, now: number): Span[] {
  const received = Date.parse(file.receivedAt);
  const spans: Span[] = [];
  let at = received;
  for (const attempt of file.attempts) {
    // A file that was retried has attempts before it was received again.
    const from = Math.max(time(attempt.startedAt, now), received);
    const to = Math.max(time(attempt.endedAt, now), from);
    if (from > at)
      spans.push({ label: `Queued for ${duration(from - at)}`, from: at, to: from, fill: 'bg-line' });
    const { label, fill } = stepLooks[attempt.step];
    const failed = attempt.outcome !== null && attempt.outcome !== 'succeeded';
    const outcome = attempt.outcome === null ? 'runs' : outcomeLabels[attempt.outcome];
    spans.push({
      label: `${label}, attempt ${attempt.attempt}: ${outcome}, ${duration(to - from)}`,
      from,
      to,
      fill: failed ? 'bg-danger' : fill,
    });
    at = Math.max(at, to);
  }
  const isRun = file.attempts.some(({ endedAt }) => endedAt === null);
  // Time in a paused batch is no time in the queue.
  if ((file.state === 'queued' || file.state === 'running') && !isRun && !file.held) {
    // The clock of the browser may be behind that of the server.
    const to = Math.max(now, at);
    spans.push({ label: `Queued for ${duration(to - at)}`, from: at, to, fill: 'bg-line' });
  }
  return spans;
}

/** The time axis of a file: how long it was queued, read and extracted, with each attempt. */
export function FileTimeline({ file }: { file: BatchFile }) {
  const now = useNow(1000);
  const spans = spansOf(file, Math.max(now, Date.parse(file.receivedAt)));
  if (spans.length === 0) return <span className="text-muted">–</span>;
  const first = spans[0]?.from ?? 0;
  const whole = Math.max(1, (spans.at(-1)?.to ?? 0) - first);
  const text = spans.map(({ label }) => label).join('; ');
  return (
    <div className="flex w-full min-w-32 flex-col gap-1">
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the parts are drawn by elements
        role="img"
        aria-label={text}
        title={text}
        className="relative h-2 w-full forced-color-adjust-none overflow-hidden rounded-full bg-sunken"
      >
        {spans.map(({ label, from, to, fill }) => (
          <span
            key={`${label} ${from}`}
            className={`absolute inset-y-0 min-w-0.5 border-r border-surface ${fill}`}
            style={{ left: `${((from - first) / whole) * 100}%`, width: `${((to - from) / whole) * 100}%` }}
          />
        ))}
      </div>
      <span className="text-xs whitespace-nowrap text-muted tabular-nums">
        {duration(whole)}
        {file.attempts.length > 2 && ` · ${file.attempts.length} attempts`}
        {file.held && ' · paused'}
        {file.state === 'running' && file.heartbeatAt !== null && (
          <> · last update {duration(Math.max(0, now - Date.parse(file.heartbeatAt)))} ago</>
        )}
      </span>
    </div>
  );
}
