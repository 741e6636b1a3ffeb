import { describe, expect, it } from 'vitest';
import { inRequests, noticeOf } from './upload-store.ts';
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

const rows: [string, Upload[], ReturnType<typeof noticeOf>][] = [
  [
    'one created (spec 8)',
    [ended('stored')],
    { tone: 'success', title: 'STIX created', description: `ID ${id} · version 2.1` },
  ],
  [
    'one replaced (spec 8)',
    [ended('stored', 'replaced')],
    { tone: 'success', title: 'STIX replaced', description: `ID ${id} · version 2.1` },
  ],
  [
    'one failed (spec 8)',
    [ended('failed')],
    { tone: 'error', title: 'Failed to upload report', description: 'a.json: This is not a STIX report.' },
  ],
  [
    'many',
    [ended('stored'), ended('stored'), ended('stored', 'replaced')],
    { tone: 'success', title: 'STIX reports uploaded', description: '2 created, 1 replaced.' },
  ],
  [
    'many with a failure',
    [ended('stored'), ended('failed'), ended('cancelled')],
    { tone: 'error', title: 'Failed to upload some reports', description: '1 created, 1 failed.' },
  ],
  ['nothing sent', [ended('cancelled'), ended('kept')], null],
];

describe('notice of a batch', () => {
  it.each(rows)('%s', (_name, batch, notice) => {
    expect(noticeOf(batch)).toEqual(notice);
  });
});

describe('inRequests', () => {
  it('asks for every name once, in order', () => {
    const names = Array.from({ length: 1000 }, (_, n) => `report ${n}.json`);
    const requests = inRequests(names);
    expect(requests.flat()).toEqual(names);
    expect(Math.max(...requests.map((r) => r.length))).toBe(40);
  });

  it('keeps the address below 8 KiB for long names', () => {
    const names = Array.from({ length: 100 }, (_, n) => `${'ä'.repeat(120)}${n}.json`);
    for (const request of inRequests(names)) {
      expect(new URLSearchParams(request.map((name) => ['name', name])).toString().length).toBeLessThan(7000);
    }
  });

  it('asks nothing for no names', () => expect(inRequests([])).toEqual([]));
});
