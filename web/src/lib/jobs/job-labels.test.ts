import type { Job } from '@riskboard/contract';
import { expect, test } from 'vitest';
import { jobOf, parseResultOf } from '../../testing/rows.ts';
import { stageOf, subjectOf, unitOf } from './job-labels.ts';
import { outcomeOf } from './job-outcome.ts';

test.each([
  ['stix.parse', 'apt29.json', 'apt29.json'],
  ['stix.extract', null, 'Deleted file'],
  ['records.delete', null, 'Delete records'],
  ['organization.delete', null, 'Delete organization'],
] as const)('a job %s of %s has the label %s', (kind, fileName, subject) => {
  expect(subjectOf({ kind, fileName })).toBe(subject);
});

test.each([
  ['Scored 12 of 14 vulnerabilities, 2 unchanged', { matched: 14, changed: 12, unchanged: 2, skipped: [] }],
  [
    'Scored 1,200 of 1,203 vulnerabilities, 2 skipped: deleted meanwhile, 1 skipped: without a vignette',
    {
      matched: 1203,
      changed: 1200,
      unchanged: 0,
      skipped: [
        { reason: 'deleted meanwhile', count: 2 },
        { reason: 'without a vignette', count: 1 },
      ],
    },
  ],
  ['CWSS 71.3 of 100', { matched: 1, changed: 1, unchanged: 0, skipped: [], cwssScore: 71.3 }],
  ['CWSS 71.3 of 100, unchanged', { matched: 1, changed: 0, unchanged: 1, skipped: [], cwssScore: 71.3 }],
])('a finished CWSS calculation has the outcome "%s."', (outcome, result) => {
  expect(outcomeOf(jobOf({ kind: 'cwss.calculate', state: 'succeeded', result }))).toBe(`${outcome}.`);
});

test.each([
  ['No difference', { repaired: 0, recounted: 0 }],
  ['3 differences repaired', { repaired: 3, recounted: 0 }],
])('a finished check of the overview has the outcome "%s."', (outcome, change) => {
  const result = { checked: 80, differences: [], snapshots: 1, ...change };
  expect(outcomeOf(jobOf({ kind: 'metrics.recompute', state: 'succeeded', result }))).toBe(`${outcome}.`);
});

test.each([
  ['Waiting for a worker', 'has not run', { attempt: 0 }],
  [
    'Waiting for the next try',
    'failed once',
    { attempt: 1, error: { code: 'retrying', message: 'Failed. It is tried again.' } },
  ],
  ['Waiting for a worker', 'was given back by a worker that stopped', { attempt: 1 }],
  ['Waiting for a worker', 'a user runs again', { attempt: 3 }],
  [
    'The batch is paused',
    'is held by its batch',
    { progress: { phase: 'waiting for the batch to be resumed', done: 0, total: 0 } },
  ],
  [
    'Waiting for the report',
    'starts after the report was read',
    { progress: { phase: 'waiting for the report to be read', done: 0, total: 0 } },
  ],
] as const)('the state "%s" is shown for a queued job that %s', (stage, _case, change) => {
  expect(stageOf(jobOf({ state: 'queued', error: null, ...change }))).toBe(stage);
});

test('a job of a kind that only a newer version has is shown without its details', () => {
  const running = jobOf({ kind: 'records.update', state: 'running', fileName: null });
  const progress = { phase: 'sorting', done: 1, total: 2 };
  const job: Job = { ...running, kind: 'newer.kind' as Job['kind'], progress };
  expect([subjectOf(job), stageOf(job), unitOf(job)]).toEqual(['Other job', 'Starting', 'records']);
  const ended = { ...job, state: 'succeeded' as const, result: { objects: 3 } as Job['result'] };
  expect(outcomeOf(ended)).toBeNull();
});

test.each([
  [
    'Read 10 objects: 8 active records, 1 not readable, 2 warnings.',
    'stix.parse',
    parseResultOf({ vulnerabilityRecords: 3, threatRecords: 5, failed: 1, warnings: 2 }),
  ],
  [
    'Read 10 objects: 1 active record, 7 records removed (no longer in this version).',
    'stix.parse',
    parseResultOf({
      vulnerabilityRecords: 1,
      threatRecords: 0,
      failed: 0,
      warnings: 0,
      removed: { vulnerability: 6, threat: 1 },
    }),
  ],
  [
    'Imported 12 rows: 9 created, 3 failed.',
    'csv.import',
    { rows: 12, created: 9, updated: 0, unchanged: 0, failed: 3 },
  ],
  ['Undid the import: 9 deleted.', 'csv.undo', { deleted: 9, restored: 0, kept: 0 }],
  [
    'Deleted 1 record, 2 skipped: no longer exists.',
    'records.delete',
    { matched: 1, changed: 1, unchanged: 0, skipped: [{ reason: 'no longer exists', count: 2 }] },
  ],
  [
    'Restored 2 records, 1 skipped: their project was deleted.',
    'records.restore',
    { matched: 2, changed: 2, unchanged: 0, skipped: [{ reason: 'their project was deleted', count: 1 }] },
  ],
  ['Changed 3 records, 4 unchanged.', 'records.update', { matched: 7, changed: 3, unchanged: 4 }],
])('the result of a job is the sentence "%s"', (sentence, kind, result) => {
  const job = jobOf();
  expect(outcomeOf({ ...job, kind: kind as Job['kind'], state: 'succeeded', result })).toBe(sentence);
});

test.each([
  ['Line 3: no end.', 'failed', { code: 'malformed', message: 'Line 3: no end.' }],
  ['The job failed.', 'failed', null],
  ['Cancelled before it was finished.', 'cancelled', null],
] as const)('a job without a result has the sentence "%s"', (sentence, state, error) => {
  expect(outcomeOf(jobOf({ state, error }))).toBe(sentence);
});
