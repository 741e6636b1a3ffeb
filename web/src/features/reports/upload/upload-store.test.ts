import { describe, expect, it } from 'vitest';
import { toBatches, batchNotice } from './upload-store.ts';
import type { Upload, UploadState } from './upload.ts';

const id = '0199f000-0000-7000-8000-000000000001';

function ended(state: UploadState, action: 'created' | 'replaced' = 'created'): Upload {
  const reply = { success: true, action, _id: id, id, stixVersion: '2.1', jobId: id } as const;
  return {
    id: 1,
    file: new File(['x'], 'a.json'),
    state,
    sent: 1,
    reason: state === 'failed' ? 'This is not a STIX report.' : null,
    extract: [],
    reply: state === 'stored' ? reply : null,
  };
}

const rows: [string, Upload[], ReturnType<typeof batchNotice>][] = [
  [
    'one new file: "STIX created" with id and version (spec 8)',
    [ended('stored')],
    { tone: 'success', title: 'STIX created', description: `ID ${id} · version 2.1` },
  ],
  [
    'one replaced file: "STIX replaced" with id and version (spec 8)',
    [ended('stored', 'replaced')],
    { tone: 'success', title: 'STIX replaced', description: `ID ${id} · version 2.1` },
  ],
  [
    'one failed file: "Failed to upload report" with name and reason (spec 8)',
    [ended('failed')],
    { tone: 'error', title: 'Failed to upload report', description: 'a.json: This is not a STIX report.' },
  ],
  [
    'several files: created and replaced are counted',
    [ended('stored'), ended('stored'), ended('stored', 'replaced')],
    { tone: 'success', title: 'STIX reports uploaded', description: '2 created, 1 replaced.' },
  ],
  [
    'several files, one failed: failures are counted, cancelled files are not',
    [ended('stored'), ended('failed'), ended('cancelled')],
    { tone: 'error', title: 'Failed to upload some reports', description: '1 created, 1 failed.' },
  ],
  ['nothing was sent: no toast', [ended('cancelled'), ended('kept')], null],
];

describe('toast after a batch of uploads', () => {
  it.each(rows)('%s', (_name, batch, notice) => {
    expect(batchNotice(batch)).toEqual(notice);
  });
});

describe('batches of names for the check of existing files', () => {
  it('contain every name once, in order, at most 40 each', () => {
    const names = Array.from({ length: 1000 }, (_, n) => `report ${n}.json`);
    const requests = toBatches(names);
    expect(requests.flat()).toEqual(names);
    expect(Math.max(...requests.map((r) => r.length))).toBe(40);
  });

  it('keep the URL below 8 KiB for long names', () => {
    const names = Array.from({ length: 100 }, (_, n) => `${'ä'.repeat(120)}${n}.json`);
    for (const request of toBatches(names)) {
      expect(new URLSearchParams(request.map((name) => ['name', name])).toString().length).toBeLessThan(7000);
    }
  });

  it('are empty when no names are given', () => expect(toBatches([])).toEqual([]));
});
