import type { Batch, BatchFile } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';

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
  succeeded: { label: 'Succeeded', tone: 'success', fill: 'bg-success' },
  withIssues: { label: 'With issues', tone: 'warning', fill: 'bg-graph-amber' },
  failed: { label: 'Failed', tone: 'danger', fill: 'bg-danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral', fill: 'bg-line-strong' },
  running: { label: 'Running', tone: 'info', fill: 'bg-accent' },
  queued: { label: 'Queued', tone: 'neutral', fill: 'bg-line' },
} as const satisfies Record<BatchFile['state'], { label: string; tone: string; fill: string }>;

export const fileStateOrder = Object.keys(fileStateLooks) as BatchFile['state'][];

export const fileStateLabel = ({ state, issues }: Pick<BatchFile, 'state' | 'issues'>): string =>
  state === 'withIssues' ? `Succeeded with ${plural(issues, 'issue')}` : fileStateLooks[state].label;

const reportTexts = {
  current: '',
  refused: '',
  replaced: ' The report was replaced since.',
  deleted: ' The report was deleted since.',
} as const satisfies Record<BatchFile['report'], string>;

/** The result of a file in one sentence. */
export function sentenceOf(file: BatchFile): string {
  const since = reportTexts[file.report];
  if (file.state === 'queued') return 'Waiting for a worker.';
  if (file.state === 'running') return file.readAt === null ? 'Reading the file.' : 'Extracting records.';
  if (file.state === 'cancelled') return `Cancelled before it was finished.${since}`;
  if (file.state === 'failed') return `${file.message ?? 'The file could not be read.'}${since}`;
  const { objects, created, updated, unchanged, skipped } = file;
  const records = Object.entries({ created, updated, unchanged, skipped })
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${formatCount(count)} ${outcome}`)
    .join(', ');
  return `Read ${plural(objects, 'object')}: ${records || 'no records'}.${since}`;
}

/** Files that have ended, of those that are expected. */
export function progressOf({ states, planned, files, status }: Batch): { ended: number; expected: number } {
  const ended = files - states.queued - states.running;
  const isReceiving = status === 'receiving' || status === 'paused';
  return { ended, expected: isReceiving ? Math.max(files, planned?.files ?? 0) : files };
}
