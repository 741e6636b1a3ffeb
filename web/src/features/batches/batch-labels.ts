import type { Batch, BatchFile } from '@riskboard/contract';
import { batchFileStateLabels, batchLabel } from '@riskboard/domain';
import type { BadgeTone } from '../../ui/badge/badge.tsx';

const tones = {
  receiving: 'info',
  running: 'info',
  paused: 'warning',
  cancelled: 'neutral',
  finished: 'success',
} as const satisfies Record<Batch['status'], string>;

function toneOf({ status, uploading, states, issues }: Batch): BadgeTone {
  if (status === 'receiving' && !uploading) return 'warning';
  if (status !== 'finished') return tones[status];
  if (states.failed > 0) return 'danger';
  if (issues > 0) return 'warning';
  return states.cancelled > 0 ? 'neutral' : tones.finished;
}

/** A finished batch is green only when every file succeeded without issues. */
export const batchLook = (batch: Batch) => ({ label: batchLabel(batch), tone: toneOf(batch) });

/** States of files in the order of the totals; `fill` is the class of their part of the bar. */
export const fileStateLooks = {
  succeeded: { label: batchFileStateLabels.succeeded, tone: 'success', fill: 'bg-success' },
  withIssues: { label: batchFileStateLabels.withIssues, tone: 'warning', fill: 'bg-graph-amber' },
  failed: { label: batchFileStateLabels.failed, tone: 'danger', fill: 'bg-danger' },
  cancelled: { label: batchFileStateLabels.cancelled, tone: 'neutral', fill: 'bg-muted' },
  running: { label: batchFileStateLabels.running, tone: 'info', fill: 'bg-accent' },
  queued: { label: batchFileStateLabels.queued, tone: 'neutral', fill: 'bg-line-strong' },
} as const satisfies Record<BatchFile['state'], { label: string; tone: string; fill: string }>;

export const fileStateOrder = Object.keys(fileStateLooks) as BatchFile['state'][];

/** Files that were announced and are still expected. */
export function missingFiles({ planned, files, status, closedAt }: Batch): number {
  const isReceiving = closedAt === null && (status === 'receiving' || status === 'paused');
  return isReceiving ? Math.max(0, (planned?.files ?? 0) - files) : 0;
}

/** Files that have ended, of those that are expected; `done`: those that were not cancelled. */
export function progressOf(batch: Batch): { ended: number; done: number; expected: number } {
  const { files, states } = batch;
  const ended = files - states.queued - states.running;
  return { ended, done: ended - states.cancelled, expected: files + missingFiles(batch) };
}
