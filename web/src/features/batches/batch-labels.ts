import type { Batch, BatchFile } from '@riskboard/contract';
import { batchFileStateLabels, formatCount, plural } from '@riskboard/domain';

export const batchStatusLooks = {
  receiving: { label: 'Receiving files', tone: 'info' },
  running: { label: 'Running', tone: 'info' },
  paused: { label: 'Paused', tone: 'warning' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  finished: { label: 'Finished', tone: 'success' },
} as const satisfies Record<Batch['status'], { label: string; tone: string }>;

/** A finished batch is green only when every file succeeded without issues. */
export function batchLook({ status, states, issues }: Batch) {
  if (status !== 'finished') return batchStatusLooks[status];
  if (states.failed > 0)
    return { label: `Finished, ${formatCount(states.failed)} failed`, tone: 'danger' } as const;
  if (issues > 0) return { label: `Finished with ${plural(issues, 'issue')}`, tone: 'warning' } as const;
  if (states.cancelled > 0)
    return { label: `Finished, ${formatCount(states.cancelled)} cancelled`, tone: 'neutral' } as const;
  return batchStatusLooks.finished;
}

/** States of files in the order of the totals; `fill` is the class of their part of the bar. */
export const fileStateLooks = {
  succeeded: { label: batchFileStateLabels.succeeded, tone: 'success', fill: 'bg-success' },
  withIssues: { label: batchFileStateLabels.withIssues, tone: 'warning', fill: 'bg-graph-amber' },
  failed: { label: batchFileStateLabels.failed, tone: 'danger', fill: 'bg-danger' },
  cancelled: { label: batchFileStateLabels.cancelled, tone: 'neutral', fill: 'bg-line-strong' },
  running: { label: batchFileStateLabels.running, tone: 'info', fill: 'bg-accent' },
  queued: { label: batchFileStateLabels.queued, tone: 'neutral', fill: 'bg-line' },
} as const satisfies Record<BatchFile['state'], { label: string; tone: string; fill: string }>;

export const fileStateOrder = Object.keys(fileStateLooks) as BatchFile['state'][];

/** Files that have ended, of those that are expected. */
export function progressOf({ states, planned, files, status }: Batch): { ended: number; expected: number } {
  const ended = files - states.queued - states.running;
  const isReceiving = status === 'receiving' || status === 'paused';
  return { ended, expected: isReceiving ? Math.max(files, planned?.files ?? 0) : files };
}
