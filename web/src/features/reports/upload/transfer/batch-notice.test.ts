import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../testing/batches.ts';
import {
  batchNotice,
  type EndedUpload,
  endedUploads,
  interruptedUploads,
  interruptionNotice,
} from './batch-notice.ts';
import type { ReadEnd, Upload, UploadState } from './upload.ts';

const id = '0199f000-0000-7000-8000-000000000001';

type End = ReadEnd['state'] | 'reading';
interface Stored {
  action?: 'created' | 'replaced';
  end?: End;
  versions?: string | null;
}

/** The notice after uploads of `a.json`, each stored with an outcome of reading, failed with a reason, or cancelled (null). */
function noticeOf(...files: (Stored | string | null)[]) {
  const ends = new Map<string, ReadEnd>();
  const batch = files.map((file, index): EndedUpload => {
    if (typeof file === 'string' || file === null) return { name: 'a.json', stored: null, reason: file };
    const { action = 'created', end = 'succeeded', versions = '2.1' } = file;
    const jobId = `job ${index}`;
    const reason = end === 'failed' ? 'Line 3: no end.' : null;
    if (end !== 'reading')
      ends.set(jobId, { state: end, stixVersion: end === 'succeeded' ? versions : null, reason });
    return { name: 'a.json', stored: { action, _id: id, jobId }, reason: null };
  });
  return batchNotice(batch, ends);
}

const noStix = 'This is not a STIX report.';
const success = (title: string, description: string) => ({ tone: 'success', title, description });
const info = (title: string, description: string) => ({ tone: 'info', title, description });
const error = (title: string, description: string) => ({ tone: 'error', title, description });

const upload = (state: UploadState): Upload => ({
  id: 1,
  file: new File(['x'], `${state}.json`),
  state,
  sent: 1,
  reason: 'no',
  canRetry: false,
  existingId: null,
  extract: [],
  batchId: null,
  reply:
    state === 'stored' || state === 'unreadable'
      ? { success: true, action: 'created', _id: id, id, stixVersion: '2.1', jobId: id }
      : null,
});

describe('toast after a batch of uploads', () => {
  it.each([
    ['one new file has id and version (spec 8)', [{}], success('STIX created', `ID ${id} · version 2.1`)],
    [
      'one replaced file has id and version (spec 8)',
      [{ action: 'replaced' }],
      success('STIX replaced', `ID ${id} · version 2.1`),
    ],
    [
      'a file of several versions lists them',
      [{ versions: '1.1.1,1.2' }],
      success('STIX created', `ID ${id} · version 1.1.1 and 1.2`),
    ],
    [
      'a file without a version says so',
      [{ versions: null }],
      success('STIX created', `ID ${id} · version unknown`),
    ],
    [
      'a file that is being read has no version',
      [{ end: 'reading' }],
      success('STIX created', `ID ${id} · being read`),
    ],
    [
      'a file whose reading was cancelled has no version',
      [{ end: 'cancelled' }],
      success('STIX created', `ID ${id} · reading cancelled`),
    ],
    [
      'one unreadable file was not created: name and reason',
      [{ end: 'failed' }],
      error('Report could not be read', 'a.json: Line 3: no end.'),
    ],
    [
      'one failed file has name and reason (spec 8)',
      [noStix],
      error('Failed to upload report', `a.json: ${noStix}`),
    ],
    [
      'several files are counted as created and replaced',
      [{}, {}, { action: 'replaced' }],
      success('STIX reports uploaded', '2 created, 1 replaced.'),
    ],
    [
      'unreadable files do not count as created',
      [{}, { end: 'failed' }, { action: 'replaced', end: 'failed' }],
      error('Some reports could not be read', '1 created, 2 could not be read.'),
    ],
    [
      'files that are being read do not count as created',
      [{}, { end: 'reading' }],
      success('STIX reports uploaded', '1 created, 1 being read.'),
    ],
    [
      'failed files are counted',
      [{}, noStix, { end: 'failed' }],
      error('Failed to upload some reports', '1 created, 1 could not be read, 1 failed.'),
    ],
    [
      'counts have grouped digits',
      Array.from({ length: 1693 }, () => ({})),
      success('STIX reports uploaded', '1,693 created.'),
    ],
    [
      'files whose reading was cancelled do not count as created, nor those that were not sent',
      [{}, { end: 'cancelled' }, { action: 'replaced', end: 'cancelled' }, null, null, null],
      info('Upload cancelled', '1 created, 2 reading cancelled, 3 not sent.'),
    ],
    [
      'reading was cancelled after the upload',
      [{}, { end: 'cancelled' }],
      info('Reading cancelled', '1 created, 1 reading cancelled.'),
    ],
    ['nothing was sent: no toast', [], null],
    ['every upload was cancelled: no toast', [null, null], null],
  ] as [string, (Stored | string | null)[], unknown][])('%s', (_name, files, notice) => {
    expect(noticeOf(...files)).toEqual(notice);
  });

  it('is about files that were stored, failed or cancelled, not about kept or refused ones', () => {
    const batch = (['stored', 'unreadable', 'failed', 'cancelled', 'kept', 'refused'] as const).map(upload);
    const stored = { action: 'created', _id: id, jobId: id };
    expect(endedUploads(batch)).toEqual([
      { name: 'stored.json', stored, reason: null },
      { name: 'unreadable.json', stored, reason: null },
      { name: 'failed.json', stored: null, reason: 'no' },
      { name: 'cancelled.json', stored: null, reason: null },
    ]);
  });
});

describe('toast after a reload that interrupted uploads', () => {
  const ended = (['stored', 'unreadable', 'failed', 'kept'] as const).map(upload);
  const open = (['waiting', 'sending', 'clash'] as const).map((state) => ({ ...upload(state), batchId: id }));

  it('is about open uploads and the ended ones of the same start', () => {
    expect(interruptedUploads([...ended, ...open], ended)).toEqual({ batchId: id, files: 6, received: 2 });
    expect(interruptedUploads(ended, ended)).toBeNull();
  });

  it('counts what the page knows without a batch', () => {
    expect(interruptionNotice({ batchId: null, files: 3, received: 1 }, null)).toEqual(
      error('Upload interrupted', '1 of 3 files was received. Upload the missing ones again.'),
    );
  });

  it.each([
    [55, '55 of 59 files were received. Upload the missing ones again.'],
    [59, '59 of 59 files were received.'],
  ])('has the counts of the batch, which received %i files', (files, text) => {
    const batch = batchOf({ files, planned: { files: 59, bytes: 590 } });
    expect(interruptionNotice({ batchId: id, files: 59, received: 52 }, batch).description).toBe(text);
  });
});
