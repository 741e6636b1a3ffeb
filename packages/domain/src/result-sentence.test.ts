import { expect, test } from 'vitest';
import { batchFileSentence, type BatchFileResult, outcomeTexts, resultSentence } from './result-sentence.ts';

const time = '2026-11-20T10:00:00.000Z';
const file: BatchFileResult = {
  state: 'succeeded',
  report: 'current',
  held: false,
  message: null,
  readAt: null,
  extractStartedAt: null,
  objects: 8,
  created: 2,
  updated: 1,
  unchanged: 3,
  skipped: 0,
};

test('a result names what was done and the outcomes that occurred', () => {
  expect(resultSentence('Read 1 object', outcomeTexts({ created: 0, skipped: 1200 }))).toBe(
    'Read 1 object: 1,200 skipped.',
  );
  expect(resultSentence('Read 1 object', [])).toBe('Read 1 object.');
});

test.each<[string, Partial<BatchFileResult>]>([
  ['Read 8 objects: 2 created, 1 updated, 3 unchanged.', {}],
  ['Read 8 objects: no records.', { created: 0, updated: 0, unchanged: 0 }],
  [
    'Read 8 objects: 2 created, 1 updated, 3 unchanged, 4 skipped. The report was replaced since.',
    { skipped: 4, state: 'withIssues', report: 'replaced' },
  ],
  [
    'Line 3 is not STIX. The report was deleted since.',
    { state: 'failed', message: 'Line 3 is not STIX.', report: 'deleted' },
  ],
  ['The file could not be read.', { state: 'failed' }],
  ['Cancelled before it was finished.', { state: 'cancelled' }],
  ['Waiting for a worker.', { state: 'queued' }],
  ['Reading the file.', { state: 'running' }],
  ['Waiting to be extracted.', { state: 'running', readAt: time }],
  ['Extracting records.', { state: 'running', readAt: time, extractStartedAt: time }],
  ['Waiting for the batch to be resumed.', { state: 'queued', held: true }],
  ['Waiting for the batch to be resumed.', { state: 'running', readAt: time, held: true }],
])('a file of a batch has the result "%s"', (sentence, change) => {
  expect(batchFileSentence({ ...file, ...change })).toBe(sentence);
});
