import { formatCount, plural } from './count.ts';

/** Counts by outcome as texts, without those of zero: ['2 created', '1 updated']. */
export const outcomeTexts = (outcomes: Readonly<Record<string, number>>): string[] =>
  Object.entries(outcomes)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${formatCount(count)} ${outcome}`);

/** One sentence of what was done and its outcomes: 'Read 8 objects: 2 created, 1 updated.' */
export const resultSentence = (done: string, outcomes: readonly string[]): string =>
  outcomes.length === 0 ? `${done}.` : `${done}: ${outcomes.join(', ')}.`;

/** '7 records removed', of records that a new version of a report no longer contains. */
export const removedText = ({ vulnerability, threat }: { vulnerability: number; threat: number }): string =>
  `${plural(vulnerability + threat, 'record')} removed`;

/** The sentence of a job or a file that was cancelled. */
export const cancelledSentence = 'Cancelled before it was finished.';

const reportTexts = {
  current: '',
  refused: '',
  replaced: ' The report was replaced since.',
  deleted: ' The report was deleted since.',
} as const;

export const batchFileStateLabels = {
  succeeded: 'Succeeded',
  withIssues: 'With issues',
  failed: 'Failed',
  cancelled: 'Cancelled',
  running: 'In progress',
  queued: 'Queued',
} as const satisfies Record<BatchFileResult['state'], string>;

/** State of a file in a batch in words; one with issues says how many. */
export const batchFileLabel = ({
  state,
  issues,
}: {
  state: BatchFileResult['state'];
  issues: number;
}): string =>
  state === 'withIssues' ? `Succeeded with ${plural(issues, 'issue')}` : batchFileStateLabels[state];

const batchStatusLabels = {
  receiving: 'Receiving files',
  running: 'Running',
  paused: 'Paused',
  cancelled: 'Cancelled',
  finished: 'Finished',
} as const;

/** Status of a batch in words; a finished one says what did not succeed, the worst first. */
export function batchLabel(batch: {
  status: keyof typeof batchStatusLabels;
  uploading: boolean;
  states: { failed: number; cancelled: number };
  issues: number;
}): string {
  const { status, uploading, states, issues } = batch;
  if (status === 'receiving' && !uploading) return 'Waiting for files';
  const label = batchStatusLabels[status];
  if (status !== 'finished') return label;
  if (states.failed > 0) return `${label}, ${formatCount(states.failed)} failed`;
  if (issues > 0) return `${label} with ${plural(issues, 'issue')}`;
  return states.cancelled > 0 ? `${label}, ${formatCount(states.cancelled)} cancelled` : label;
}

/** What the sentence of a file in a batch is made of. */
export interface BatchFileResult {
  state: 'queued' | 'running' | 'succeeded' | 'withIssues' | 'failed' | 'cancelled';
  report: keyof typeof reportTexts;
  /** Whether it waits for the batch to be resumed. */
  held: boolean;
  /** Why it failed. */
  message: string | null;
  /** End of reading; null before. */
  readAt: string | null;
  /** Start of the extraction; null before. */
  extractStartedAt: string | null;
  objects: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
}

function runningSentence({ readAt, extractStartedAt }: BatchFileResult): string {
  if (readAt === null) return 'Reading the file.';
  return extractStartedAt === null ? 'Waiting to be extracted.' : 'Extracting records.';
}

/** The result of a file of a batch in one sentence, and what happened to its report since. */
export function batchFileSentence(file: BatchFileResult): string {
  const since = reportTexts[file.report];
  if (file.held) return 'Waiting for the batch to be resumed.';
  if (file.state === 'queued') return 'Waiting for a worker.';
  if (file.state === 'running') return runningSentence(file);
  if (file.state === 'cancelled') return `${cancelledSentence}${since}`;
  if (file.state === 'failed') return `${file.message ?? 'The file could not be read.'}${since}`;
  const { objects, created, updated, unchanged, skipped } = file;
  const outcomes = outcomeTexts({ created, updated, unchanged, skipped });
  const sentence = resultSentence(
    `Read ${plural(objects, 'object')}`,
    outcomes.length === 0 ? ['no records'] : outcomes,
  );
  return `${sentence}${since}`;
}
