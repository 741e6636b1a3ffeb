import type { Batch, BatchFile } from '@riskboard/contract';
import { expect, test } from 'vitest';
import { batchLook, fileStateLabel, fileStateLooks, progressOf, sentenceOf } from './batch-labels.ts';

const states = { queued: 0, running: 0, succeeded: 12, withIssues: 0, failed: 0, cancelled: 0 };
const batch: Batch = {
  _id: '0198a4f2-0000-7000-8000-000000000001',
  name: 'Feeds of May',
  status: 'finished',
  files: 12,
  bytes: 1200,
  planned: { files: 12, bytes: 1200 },
  states,
  issues: 0,
  created: 5,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: null,
  startedAt: '2026-11-20T10:00:01.000Z',
  finishedAt: '2026-11-20T10:01:00.000Z',
  pausedAt: null,
  cancelledAt: null,
};
const file: BatchFile = {
  _id: '0198a4f2-0000-7000-8000-000000000002',
  name: 'feed.json',
  size: 100,
  state: 'succeeded',
  issues: 0,
  objects: 8,
  created: 2,
  updated: 1,
  unchanged: 3,
  skipped: 0,
  message: null,
  fileId: '0198a4f2-0000-7000-8000-000000000003',
  report: 'current',
  receivedAt: '2026-11-20T10:00:00.000Z',
  startedAt: null,
  readAt: null,
  extractStartedAt: null,
  endedAt: null,
  heartbeatAt: null,
  attempts: [],
};

test('a batch is green only when every file succeeded without issues', () => {
  expect(batchLook(batch)).toEqual({ label: 'Finished', tone: 'success' });
  expect(batchLook({ ...batch, issues: 12 })).toEqual({ label: 'Finished with 12 issues', tone: 'warning' });
  const failed = { ...batch, issues: 12, states: { ...states, succeeded: 11, failed: 1 } };
  expect(batchLook(failed)).toEqual({ label: 'Finished, 1 failed', tone: 'danger' });
  const cancelled = { ...batch, states: { ...states, succeeded: 11, cancelled: 1 } };
  expect(batchLook(cancelled)).toEqual({ label: 'Finished, 1 cancelled', tone: 'neutral' });
  expect(batchLook({ ...failed, status: 'paused' })).toEqual({ label: 'Paused', tone: 'warning' });
});

test('a file that succeeded with issues is amber and says how many', () => {
  expect(fileStateLabel({ state: 'withIssues', issues: 12 })).toBe('Succeeded with 12 issues');
  expect(fileStateLooks.withIssues.tone).toBe('warning');
});

test('the result of a file is one sentence, with what happened to its report since', () => {
  expect(sentenceOf(file)).toBe('Read 8 objects: 2 created, 1 updated, 3 unchanged.');
  expect(sentenceOf({ ...file, skipped: 4, report: 'replaced' })).toBe(
    'Read 8 objects: 2 created, 1 updated, 3 unchanged, 4 skipped. The report was replaced since.',
  );
  const failed: BatchFile = { ...file, state: 'failed', message: 'Line 3 is not STIX.', report: 'deleted' };
  expect(sentenceOf(failed)).toBe('Line 3 is not STIX. The report was deleted since.');
  expect(sentenceOf({ ...file, state: 'running' })).toBe('Reading the file.');
  expect(sentenceOf({ ...file, state: 'running', readAt: file.receivedAt })).toBe('Extracting records.');
});

test('the progress of a batch counts the announced files until all of them were received', () => {
  const half = { ...batch, files: 6, states: { ...states, succeeded: 4, running: 2 } };
  expect(progressOf({ ...half, status: 'receiving' })).toEqual({ ended: 4, expected: 12 });
  expect(progressOf({ ...half, status: 'running' })).toEqual({ ended: 4, expected: 6 });
});
