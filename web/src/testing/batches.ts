import type { Batch, BatchFile } from '@riskboard/contract';
import { newId } from './rows.ts';

/** States of the files of a batch, all zero but these. */
export const statesOf = (change: Partial<Batch['states']> = {}): Batch['states'] => ({
  queued: 0,
  running: 0,
  succeeded: 0,
  withIssues: 0,
  failed: 0,
  cancelled: 0,
  ...change,
});

/** A batch without files, with changes by the test. */
export const batchOf = (change: Partial<Batch> = {}): Batch => ({
  _id: newId(),
  name: 'May',
  status: 'receiving',
  files: 0,
  bytes: 0,
  planned: null,
  states: statesOf(),
  retriable: change.states?.failed ?? 0,
  issues: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: null,
  startedAt: null,
  finishedAt: null,
  pausedAt: null,
  closedAt: null,
  lastReceivedAt: null,
  uploading: false,
  cancelledAt: null,
  ...change,
});

/** A file of a batch that was read and extracted, with changes by the test. */
export const batchFileOf = (change: Partial<BatchFile> = {}): BatchFile => ({
  _id: newId(),
  name: 'feed.json',
  size: 100,
  state: 'succeeded',
  held: false,
  issues: 0,
  objects: 8,
  created: 2,
  updated: 1,
  unchanged: 3,
  skipped: 0,
  message: null,
  fileId: newId(),
  report: 'current',
  receivedAt: '2026-11-20T10:00:00.000Z',
  startedAt: '2026-11-20T10:00:05.000Z',
  readAt: '2026-11-20T10:00:15.000Z',
  extractStartedAt: '2026-11-20T10:00:15.000Z',
  endedAt: '2026-11-20T10:00:20.000Z',
  heartbeatAt: null,
  attempts: [],
  ...change,
});
