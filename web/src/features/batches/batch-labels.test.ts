import { batchFileLabel } from '@riskboard/domain';
import { expect, test } from 'vitest';
import { batchOf, statesOf } from '../../testing/batches.ts';
import { batchLook, fileStateLooks, progressOf } from './batch-labels.ts';

const states = statesOf({ succeeded: 12 });
const batch = batchOf({ status: 'finished', files: 12, planned: { files: 12, bytes: 1200 }, states });

test('a batch is green only when every file succeeded without issues', () => {
  expect(batchLook(batch)).toEqual({ label: 'Finished', tone: 'success' });
  expect(batchLook({ ...batch, issues: 12 })).toEqual({ label: 'Finished with 12 issues', tone: 'warning' });
  const failed = { ...batch, issues: 12, states: { ...states, succeeded: 11, failed: 1 } };
  expect(batchLook(failed)).toEqual({ label: 'Finished, 1 failed', tone: 'danger' });
  const cancelled = { ...batch, states: { ...states, succeeded: 11, cancelled: 1 } };
  expect(batchLook(cancelled)).toEqual({ label: 'Finished, 1 cancelled', tone: 'neutral' });
  expect(batchLook({ ...failed, status: 'paused' })).toEqual({ label: 'Paused', tone: 'warning' });
});

test('a batch that expects files is receiving them only while an upload is active', () => {
  const receiving = { ...batch, status: 'receiving', files: 6 } as const;
  expect(batchLook({ ...receiving, uploading: true })).toEqual({ label: 'Receiving files', tone: 'info' });
  expect(batchLook(receiving)).toEqual({ label: 'Waiting for files', tone: 'warning' });
});

test('a file that succeeded with issues is amber and says how many', () => {
  expect(batchFileLabel({ state: 'withIssues', issues: 12 })).toBe('Succeeded with 12 issues');
  expect(fileStateLooks.withIssues.tone).toBe('warning');
});

test('the progress of a batch counts the announced files until all of them were received', () => {
  const half = { ...batch, files: 6, states: { ...states, succeeded: 4, running: 2 } };
  expect(progressOf({ ...half, status: 'receiving' })).toEqual({ ended: 4, done: 4, expected: 12 });
  expect(progressOf({ ...half, status: 'running' })).toEqual({ ended: 4, done: 4, expected: 6 });
  expect(progressOf({ ...half, status: 'paused' })).toEqual({ ended: 4, done: 4, expected: 12 });
  const closedAt = '2026-11-30T08:00:00.000Z';
  expect(progressOf({ ...half, status: 'paused', closedAt })).toEqual({ ended: 4, done: 4, expected: 6 });
});

test('a cancelled file has ended, but is not done', () => {
  const cancelled = { ...batch, states: statesOf({ succeeded: 3, cancelled: 9 }) };
  expect(progressOf(cancelled)).toEqual({ ended: 12, done: 3, expected: 12 });
});
