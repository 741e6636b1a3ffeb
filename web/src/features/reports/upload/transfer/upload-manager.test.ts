import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SendFailure } from '../../../../lib/api/send-file.ts';
import type { SendOptions } from './send-report.ts';
import { createUploadManager, type UploadPorts } from './upload-manager.ts';
import {
  failuresFirst,
  isRetryable,
  nameKey,
  type ReadEnd,
  reportIdOf,
  totalsOf,
  type Upload,
  type UploadReply,
} from './upload.ts';

const fileOf = (name: string, size = 100) => new File(['x'.repeat(size)], name);

const replyTo = (index: number): UploadReply => ({
  success: true,
  action: 'created',
  _id: `0199f000-0000-7000-8000-00000000000${index}`,
  id: `0199f000-0000-7000-8000-00000000000${index}`,
  stixVersion: '2.1',
  jobId: `0199f000-0000-7000-8000-00000000010${index}`,
});

interface Sending {
  readonly name: string;
  readonly options: SendOptions;
  succeed(): void;
  fail(status: number, message: string, more?: { retryAfterMs?: number; code?: string }): void;
}

/** A manager with a fake server: each send waits until the test lets it succeed or fail. */
function setUp(stored: readonly string[] = []) {
  const sends: Sending[] = [];
  const settled: Upload[][] = [];
  const checkFailed = vi.fn<(error: unknown) => void>();
  const existing = vi.fn<UploadPorts['existing']>(async (names) => {
    const found = stored.filter((name) => names.some((known) => nameKey(known) === nameKey(name)));
    return new Map(found.map((name) => [nameKey(name), `id of ${name}`]));
  });
  const openBatch = vi.fn<UploadPorts['openBatch']>(async () => 'batch-1');
  const closeBatch = vi.fn<UploadPorts['closeBatch']>();
  const isReachable = vi.fn<UploadPorts['isReachable']>(async () => true);
  /** Ends reading a report, by job. */
  const endReading = new Map<string, (end: ReadEnd) => void>();
  const manager = createUploadManager({
    send: (file, options) =>
      new Promise((resolve, reject) => {
        options.signal.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
        const index = sends.length + 1;
        sends.push({
          name: file.name,
          options,
          succeed: () => resolve(replyTo(index)),
          fail: (status, message, more) =>
            reject(new SendFailure(message, { status, retryAfterMs: null, ...more })),
        });
      }),
    existing,
    openBatch,
    received: async () => new Map([['a.json', 100]]),
    closeBatch,
    isReachable,
    checkFailed,
    stored: () => undefined,
    read: ({ jobId }) => new Promise((resolve) => endReading.set(jobId, resolve)),
    settled: (batch) => settled.push([...batch]),
  });
  const states = () => Object.fromEntries(manager.get().uploads.map((u) => [u.file.name, u.state]));
  const find = (name: string) => {
    const upload = manager.get().uploads.find((u) => u.file.name === name);
    if (!upload) throw new Error(`${name} is not in the list`);
    return upload;
  };
  const send = (name: string) => {
    const sending = sends.findLast((s) => s.name === name);
    if (!sending) throw new Error(`${name} was not sent`);
    return sending;
  };
  return {
    isReachable,
    openBatch,
    closeBatch,
    manager,
    sends,
    settled,
    checkFailed,
    existing,
    states,
    find,
    send,
    endReading,
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('upload manager', () => {
  it('sends three files at a time and starts the next when one ends', async () => {
    const { manager, sends, send, states } = setUp();
    manager.add(['a.json', 'b.json', 'c.xml', 'd.json', 'e.json'].map((name) => fileOf(name)));
    await manager.start([]);
    expect(sends.map((s) => s.name)).toEqual(['a.json', 'b.json', 'c.xml']);
    send('b.json').succeed();
    await settle();
    expect(sends.map((s) => s.name)).toEqual(['a.json', 'b.json', 'c.xml', 'd.json']);
    expect(states()).toEqual({
      'a.json': 'sending',
      'b.json': 'stored',
      'c.xml': 'sending',
      'd.json': 'sending',
      'e.json': 'waiting',
    });
  });

  it('sends nothing before the start, then passes the selected extraction on', async () => {
    const { manager, sends } = setUp();
    manager.add([fileOf('a.json')]);
    expect(sends).toHaveLength(0);
    await manager.start(['vulnerabilities', 'threats']);
    expect(sends[0]?.options.extract).toEqual(['vulnerabilities', 'threats']);
  });

  it('refuses a wrong extension and an empty file when they are added', async () => {
    const { manager, sends, find } = setUp();
    manager.add([fileOf('notes.PDF'), fileOf('empty.json', 0), fileOf('Same.JSON')]);
    expect(find('notes.PDF').reason).toBe('Only .json and .xml files are accepted.');
    expect(find('empty.json').reason).toBe('The file is empty.');
    await manager.start([]);
    expect(sends.map((s) => s.name)).toEqual(['Same.JSON']);
  });

  it('asks whether to overwrite a name that was uploaded before and is still in the list', async () => {
    const stored: string[] = [];
    const { manager, sends, send, states } = setUp(stored);
    manager.add([fileOf('a.json')]);
    await manager.start([]);
    send('a.json').succeed();
    await settle();
    stored.push('a.json');
    manager.add([fileOf('A.json')]);
    await manager.start([]);
    expect(states()).toEqual({ 'a.json': 'stored', 'A.json': 'clash' });
    expect(sends).toHaveLength(1);
  });

  it('sends only the last of several chosen files of one name, without a question and without a retry of the others', async () => {
    const { manager, sends, send, states, existing } = setUp();
    manager.add([fileOf('same.json'), fileOf('other.json'), fileOf('Same.json')]);
    await manager.start([]);
    expect(existing).toHaveBeenCalledWith(['other.json', 'Same.json']);
    expect(states()).toEqual({ 'same.json': 'superseded', 'other.json': 'sending', 'Same.json': 'sending' });
    send('other.json').succeed();
    send('Same.json').succeed();
    await settle();
    manager.retryAll();
    for (const { id } of manager.get().uploads) manager.retry(id);
    expect(sends.map((s) => s.name)).toEqual(['other.json', 'Same.json']);
  });

  it('does not send a failed file again after a later file of its name was stored', async () => {
    const { manager, sends, send, find, states } = setUp();
    manager.add([fileOf('same.json')]);
    await manager.start([]);
    manager.add([fileOf('Same.json')]);
    await manager.start([]);
    manager.answer(find('Same.json').id, 'replace', false);
    send('same.json').fail(500, 'Something went wrong.');
    await settle();
    expect(states()).toEqual({ 'same.json': 'failed', 'Same.json': 'sending' });
    // It waits for its turn: two files of one name are sent one after the other.
    manager.retry(find('same.json').id);
    expect(states()).toEqual({ 'same.json': 'waiting', 'Same.json': 'sending' });
    send('Same.json').succeed();
    await settle();
    expect(states()).toEqual({ 'same.json': 'superseded', 'Same.json': 'stored' });
    manager.retryAll();
    expect(sends.map((s) => s.name)).toEqual(['same.json', 'Same.json']);
  });

  it('asks about a name whose upload has not ended', async () => {
    const { manager, states } = setUp();
    manager.add(['1.json', '2.json', '3.json', 'waits.json'].map((name) => fileOf(name)));
    await manager.start([]);
    manager.add([fileOf('1.JSON'), fileOf('Waits.json')]);
    await manager.start([]);
    expect(states()).toMatchObject({ '1.JSON': 'clash', 'Waits.json': 'clash', 'waits.json': 'waiting' });
  });

  it('gives the row of a name that failed, was cancelled or kept to the new file', async () => {
    const { manager, send, find, states } = setUp(['kept.json']);
    manager.add(['failed.json', 'cancelled.json', 'kept.json'].map((name) => fileOf(name)));
    await manager.start([]);
    send('failed.json').fail(422, 'no');
    manager.cancel(find('cancelled.json').id);
    manager.answer(find('kept.json').id, 'keep', false);
    await settle();
    manager.add(['failed.json', 'cancelled.json', 'kept.json'].map((name) => fileOf(name)));
    expect(manager.get().uploads.map(({ state }) => state)).toEqual(['chosen', 'chosen', 'chosen']);
    await manager.start([]);
    expect(states()).toEqual({
      'failed.json': 'sending',
      'cancelled.json': 'sending',
      'kept.json': 'clash',
    });
  });

  it('recognizes a stored name in decomposed Unicode, as macOS writes it', async () => {
    const { manager, states } = setUp(['caf\u00e9.json']);
    const decomposed = 'cafe\u0301.json';
    manager.add([fileOf(decomposed)]);
    await manager.start([]);
    expect(states()).toEqual({ [decomposed]: 'clash' });
  });

  it('continues after Retry-After when the clock was set back', async () => {
    vi.useFakeTimers();
    try {
      const { manager, sends, send } = setUp();
      manager.add([fileOf('a.json')]);
      await manager.start([]);
      send('a.json').fail(429, 'Too many attempts.', { retryAfterMs: 5000 });
      await vi.advanceTimersByTimeAsync(100);
      vi.setSystemTime('2001-01-01T00:00:00Z');
      await vi.advanceTimersByTimeAsync(5000);
      expect(sends).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('applies one answer to all name clashes, ignoring case', async () => {
    const { manager, sends, states, find, existing } = setUp(['A.json', 'b.json', 'c.json']);
    manager.add(['a.json', 'b.json', 'c.json', 'new.json'].map((name) => fileOf(name)));
    await manager.start([]);
    expect(existing).toHaveBeenCalledWith(['a.json', 'b.json', 'c.json', 'new.json']);
    expect(sends.map((s) => s.name)).toEqual(['new.json']);
    manager.answer(find('a.json').id, 'keep', false);
    expect(states()).toMatchObject({ 'a.json': 'kept', 'b.json': 'clash', 'c.json': 'clash' });
    manager.answer(find('b.json').id, 'replace', true);
    expect(sends.map((s) => s.name)).toEqual(['new.json', 'b.json', 'c.json']);
  });

  it('keeps the files in state "chosen" when the check for existing names fails', async () => {
    const { manager, sends, states, existing, checkFailed } = setUp();
    existing.mockRejectedValueOnce(new Error('down'));
    manager.add([fileOf('a.json')]);
    await manager.start([]);
    expect(checkFailed).toHaveBeenCalledOnce();
    expect(sends).toHaveLength(0);
    expect(states()).toEqual({ 'a.json': 'chosen' });
    expect(manager.get().checking).toBe(false);
  });

  it('cancels an upload in progress and frees its slot', async () => {
    const { manager, sends, states, find, send } = setUp();
    manager.add(['a.json', 'b.json', 'c.json', 'd.json'].map((name) => fileOf(name)));
    await manager.start([]);
    manager.cancel(find('a.json').id);
    await settle();
    expect(send('a.json').options.signal.aborted).toBe(true);
    expect(states()).toMatchObject({ 'a.json': 'cancelled', 'd.json': 'sending' });
    expect(sends).toHaveLength(4);
  });

  it('keeps the reason of a failed upload and sends the file again on retry', async () => {
    const { manager, sends, find, send } = setUp();
    manager.add([fileOf('a.json')]);
    await manager.start(['threats']);
    send('a.json').fail(500, 'Something went wrong.');
    await settle();
    expect(find('a.json')).toMatchObject({ state: 'failed', reason: 'Something went wrong.' });
    manager.retry(find('a.json').id);
    expect(find('a.json')).toMatchObject({ state: 'sending', reason: null });
    expect(sends[1]?.options.extract).toEqual(['threats']);
  });

  it.each([
    ['was answered by a proxy', 201, true],
    ['was cut off', 400, true],
    ['took too long', 408, true],
    ['was one too many', 429, true],
    ['met an error of the server', 500, true],
    ['met a server that is down', 503, true],
    ['was not allowed', 403, true],
    ['was too large', 413, false],
    ['is malformed', 422, false],
  ])('offers Retry for an upload that %s (%d): %s', async (_what, status, helps) => {
    const { manager, sends, find, send } = setUp();
    manager.add([fileOf('a.json')]);
    await manager.start([]);
    send('a.json').fail(status, 'no');
    await settle();
    expect(isRetryable(find('a.json'))).toBe(helps);
    expect(totalsOf(manager.get().uploads)).toMatchObject({ failed: 1, retryable: Number(helps) });
    manager.retry(find('a.json').id);
    manager.retryAll();
    expect(sends).toHaveLength(helps ? 2 : 1);
  });

  it('shows a report that could not be read as unreadable, with the reason, before the other files', async () => {
    const { manager, send, find, endReading } = setUp();
    manager.add(['good.json', 'broken.json'].map((name) => fileOf(name)));
    await manager.start([]);
    send('broken.json').succeed();
    send('good.json').succeed();
    await settle();
    const jobId = find('broken.json').reply?.jobId ?? '';
    endReading.get(jobId)?.({ state: 'failed', stixVersion: null, reason: 'Line 3: no end.' });
    await settle();
    expect(find('broken.json')).toMatchObject({ state: 'unreadable', reason: 'Line 3: no end.' });
    expect(isRetryable(find('broken.json'))).toBe(false);
    expect(totalsOf(manager.get().uploads)).toMatchObject({ stored: 1, unreadable: 1, failed: 0 });
    expect(failuresFirst(manager.get().uploads).map(({ file }) => file.name)).toEqual([
      'broken.json',
      'good.json',
    ]);
  });

  it('knows the report of a stored file and of one that was kept', async () => {
    const { manager, send, find } = setUp(['Kept.json']);
    manager.add(['new.json', 'kept.json', 'waits.pdf'].map((name) => fileOf(name)));
    await manager.start([]);
    expect(reportIdOf(find('new.json'))).toBeNull();
    send('new.json').succeed();
    manager.answer(find('kept.json').id, 'keep', false);
    await settle();
    expect(reportIdOf(find('new.json'))).toBe(replyTo(1)._id);
    expect(reportIdOf(find('kept.json'))).toBe('id of Kept.json');
    expect(reportIdOf(find('waits.pdf'))).toBeNull();
  });

  it('refuses files of at least the size that got a 413, without sending them', async () => {
    const { manager, sends, states, find, send } = setUp();
    manager.add([
      fileOf('a.json', 500),
      fileOf('b.json', 10),
      fileOf('c.json', 10),
      fileOf('huge.json', 900),
      fileOf('small.json', 20),
    ]);
    await manager.start([]);
    send('a.json').fail(413, 'The file is larger than 400 Bytes.');
    await settle();
    expect(find('huge.json')).toMatchObject({
      state: 'refused',
      reason: 'The file is larger than 400 Bytes.',
    });
    expect(states()['small.json']).toBe('sending');
    manager.add([fileOf('later.json', 500)]);
    expect(find('later.json').state).toBe('refused');
    expect(sends.map((s) => s.name)).not.toContain('huge.json');
  });

  it('pauses for the time of Retry-After, then continues', async () => {
    vi.useFakeTimers();
    try {
      const { manager, sends, send, states } = setUp();
      manager.add([fileOf('a.json')]);
      await manager.start([]);
      send('a.json').fail(429, 'Too many attempts.', { retryAfterMs: 5000 });
      await vi.advanceTimersByTimeAsync(4900);
      expect(states()).toEqual({ 'a.json': 'waiting' });
      expect(sends).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(200);
      expect(sends).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports a batch once, when all its uploads have ended', async () => {
    const { manager, settled, send, find } = setUp();
    manager.add(['a.json', 'b.json', 'c.json'].map((name) => fileOf(name)));
    await manager.start([]);
    send('a.json').succeed();
    send('b.json').fail(422, 'no');
    await settle();
    expect(settled).toHaveLength(0);
    manager.cancel(find('c.json').id);
    await settle();
    expect(settled).toHaveLength(1);
    expect(settled[0]?.map((u) => u.state)).toEqual(['stored', 'failed', 'cancelled']);
  });

  it('adds up the bytes of sent and pending files', async () => {
    const { manager, send } = setUp();
    manager.add([fileOf('a.json', 300), fileOf('b.json', 100), fileOf('c.txt', 5000)]);
    await manager.start([]);
    send('a.json').options.onSent(150);
    expect(totalsOf(manager.get().uploads)).toMatchObject({ bytes: 400, sent: 150, open: 2, refused: 1 });
    send('a.json').succeed();
    await settle();
    expect(totalsOf(manager.get().uploads)).toMatchObject({ bytes: 400, sent: 300, open: 1, stored: 1 });
    send('b.json').options.onSent(100);
    send('b.json').fail(500, 'Something went wrong.');
    await settle();
    expect(totalsOf(manager.get().uploads)).toMatchObject({ bytes: 400, sent: 300, failed: 1, stored: 1 });
  });
});

describe('a lost connection', () => {
  const names = ['a.json', 'b.json', 'c.json', 'd.json', 'e.json'];

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Five files, of which the three that are being sent get no answer. */
  async function lose(status = 0) {
    const all = setUp();
    all.isReachable.mockResolvedValue(false);
    all.manager.add(names.map((name) => fileOf(name)));
    await all.manager.start([]);
    for (const name of names.slice(0, 3)) {
      all.send(name).options.onSent(50);
      all.send(name).fail(status, 'The connection was lost.');
    }
    await vi.advanceTimersByTimeAsync(0);
    return all;
  }

  it.each([0, 502, 504])('fails no file (status %d): all wait, and nothing is sent', async (status) => {
    const { manager, states, sends, settled } = await lose(status);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(states()).toEqual(Object.fromEntries(names.map((name) => [name, 'waiting'])));
    expect(manager.get().isConnectionLost).toBe(true);
    expect(totalsOf(manager.get().uploads)).toMatchObject({ open: 5, failed: 0, sent: 0, bytes: 500 });
    expect(sends).toHaveLength(3);
    expect(settled).toEqual([]);
  });

  it('is checked at growing intervals, and the files are sent again when the API answers', async () => {
    const { manager, isReachable, sends, states, settled } = await lose();
    await vi.advanceTimersByTimeAsync(7000);
    expect(isReachable).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(300_000);
    const { length } = isReachable.mock.calls;
    expect(length).toBeLessThan(20);
    isReachable.mockResolvedValue(true);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(isReachable).toHaveBeenCalledTimes(length + 1);
    expect(manager.get().isConnectionLost).toBe(false);
    for (let index = 3; index < 8; index += 1) {
      sends[index]?.succeed();
      // The next file is sent when this one has ended.
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(sends.slice(3).map(({ name }) => name)).toEqual(names);
    expect(new Set(Object.values(states()))).toEqual(new Set(['stored']));
    expect(settled).toHaveLength(1);
  });

  it('ends at once when the page is live or the browser online again', async () => {
    const { manager, isReachable, sends } = await lose();
    await vi.advanceTimersByTimeAsync(60_000);
    isReachable.mockResolvedValue(true);
    manager.checkConnection();
    await vi.advanceTimersByTimeAsync(0);
    expect(sends).toHaveLength(6);
  });

  it.each(['cancelAll', 'drop'] as const)('ends with %s, and nothing is checked or sent', async (end) => {
    const { manager, isReachable, sends, settled } = await lose();
    manager[end]();
    expect(manager.get().isConnectionLost).toBe(false);
    isReachable.mockClear();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(isReachable).not.toHaveBeenCalled();
    expect(sends).toHaveLength(3);
    // A later upload is sent.
    manager.add([fileOf('later.json')]);
    await manager.start([]);
    expect(sends.at(-1)?.name).toBe('later.json');
    expect(settled).toHaveLength(end === 'cancelAll' ? 1 : 0);
  });

  it('ends with a batch that was cancelled in another tab meanwhile', async () => {
    const { manager, isReachable, sends, states } = setUp();
    manager.add(Array.from({ length: 10 }, (_, n) => fileOf(`r-${n}.json`)));
    await manager.start([]);
    isReachable.mockResolvedValueOnce(false);
    for (const sending of sends) sending.fail(0, 'The connection was lost.');
    await vi.advanceTimersByTimeAsync(5000);
    expect(sends).toHaveLength(6);
    sends[3]?.fail(409, 'The batch was cancelled.');
    await vi.advanceTimersByTimeAsync(5000);
    expect(sends).toHaveLength(6);
    expect(Object.values(states())).not.toContain('waiting');
  });

  it('does not hold up others for a file that fails alone: it is sent three times, then failed', async () => {
    const { manager, find, states, sends, send, settled } = setUp();
    manager.add(['moved.json', 'b.json'].map((name) => fileOf(name)));
    await manager.start([]);
    send('b.json').succeed();
    for (let count = 1; count <= 3; count += 1) {
      expect(find('moved.json').state).toBe('sending');
      send('moved.json').fail(0, 'The connection was lost.');
      // It is sent again after the check.
      await vi.advanceTimersByTimeAsync(1500);
    }
    expect(sends.filter(({ name }) => name === 'moved.json')).toHaveLength(3);
    expect(states()).toEqual({ 'moved.json': 'failed', 'b.json': 'stored' });
    expect(find('moved.json').reason).toMatch(/^Sending it failed three times\./u);
    expect(isRetryable(find('moved.json'))).toBe(true);
    expect(settled).toHaveLength(1);
    manager.retryAll();
    expect(find('moved.json').state).toBe('sending');
  });

  it('does not count failures of a file while the API could not be reached', async () => {
    const { manager, isReachable, find, send } = setUp();
    manager.add([fileOf('a.json')]);
    await manager.start([]);
    for (let count = 1; count <= 5; count += 1) {
      isReachable.mockResolvedValueOnce(false);
      send('a.json').fail(0, 'The connection was lost.');
      // It is sent again after the check.
      await vi.advanceTimersByTimeAsync(5000);
    }
    expect(find('a.json').state).toBe('sending');
  });
});

describe('a change of the account or organization', () => {
  const names = ['a.json', 'b.json', 'c.json', 'd.json', 'e.json'];
  const changed =
    'You have switched to another organization since this page was opened. Nothing was changed.';

  it('empties the list, cancels the uploads and sends nothing more', async () => {
    const { manager, sends, send } = setUp();
    manager.add(names.map((name) => fileOf(name)));
    await manager.start([]);
    send('a.json').succeed();
    await settle();
    expect(sends).toHaveLength(4);
    expect(manager.drop()).toBe(4);
    expect(manager.get().uploads).toEqual([]);
    expect(sends.slice(1).every(({ options }) => options.signal.aborted)).toBe(true);
    await settle();
    expect(sends).toHaveLength(4);
  });

  it('closes no batch: the call would be made for the other organization', async () => {
    const { manager, closeBatch, settled } = setUp();
    manager.add(Array.from({ length: 10 }, (_, n) => fileOf(`r-${n}.json`)));
    await manager.start([]);
    manager.drop();
    await settle();
    expect(closeBatch).not.toHaveBeenCalled();
    expect(settled).toEqual([]);
  });

  it('that a refused upload reports fails those that wait too, with the reason and without a retry', async () => {
    const { manager, sends, send, states } = setUp();
    manager.add(names.map((name) => fileOf(name)));
    await manager.start([]);
    send('a.json').fail(409, changed, { code: 'session_changed' });
    await settle();
    expect(states()).toEqual({
      'a.json': 'failed',
      'b.json': 'sending',
      'c.json': 'sending',
      'd.json': 'failed',
      'e.json': 'failed',
    });
    const failed = manager.get().uploads.filter(({ state }) => state === 'failed');
    expect(failed.map(({ reason, canRetry }) => [reason, canRetry])).toEqual(
      failed.map(() => [changed, false]),
    );
    expect(sends).toHaveLength(3);
    expect(manager.drop()).toBe(5);
  });
});

describe('a batch of uploads', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => fileOf(`r-${n}.json`));

  it('is created for 10 or more files, and closed when none of them can be sent again', async () => {
    const { manager, sends, openBatch, closeBatch } = setUp();
    manager.add(many(10));
    await manager.start([]);
    expect(openBatch).toHaveBeenCalledTimes(1);
    for (let n = 0; n < 10; n += 1) {
      expect(sends[n]?.options.batchId).toBe('batch-1');
      sends[n]?.succeed();
      await settle();
    }
    expect(closeBatch.mock.calls).toEqual([['batch-1']]);
  });

  it('is created after the overwrite question, of the files that are sent, which wait for it', async () => {
    const { manager, sends, openBatch, find, states } = setUp(['r-0.json', 'r-1.json']);
    manager.add(many(12));
    await manager.start([]);
    expect(openBatch).not.toHaveBeenCalled();
    expect(sends).toHaveLength(0);
    expect(states()).toMatchObject({ 'r-0.json': 'clash', 'r-1.json': 'clash', 'r-2.json': 'waiting' });
    manager.answer(find('r-0.json').id, 'replace', false);
    expect(openBatch).not.toHaveBeenCalled();
    manager.answer(find('r-1.json').id, 'keep', false);
    await settle();
    expect(openBatch).toHaveBeenCalledTimes(1);
    expect(openBatch.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(
      many(12)
        .map(({ name }) => name)
        .filter((name) => name !== 'r-1.json'),
    );
    expect(sends.map(({ options }) => options.batchId)).toEqual(['batch-1', 'batch-1', 'batch-1']);
  });

  it.each([
    ['keep', 12],
    ['keep', 3],
  ] as const)(
    'is not created when too few files are sent after the answer "%s" about %i',
    async (decision, existing) => {
      const { manager, sends, openBatch, settled, find } = setUp(many(existing).map(({ name }) => name));
      manager.add(many(12));
      await manager.start([]);
      manager.answer(find('r-0.json').id, decision, true);
      await settle();
      expect(openBatch).not.toHaveBeenCalled();
      expect(sends).toHaveLength(Math.min(3, 12 - existing));
      expect(sends.every(({ options }) => options.batchId === null)).toBe(true);
      expect(settled).toHaveLength(existing === 12 ? 1 : 0);
    },
  );

  it('that cannot be created leaves its files to be uploaded again', async () => {
    const { manager, sends, openBatch, checkFailed, states, find } = setUp(['r-0.json']);
    openBatch.mockRejectedValueOnce(new Error('down'));
    manager.add(many(11));
    await manager.start([]);
    manager.answer(find('r-0.json').id, 'keep', true);
    await settle();
    expect(checkFailed).toHaveBeenCalledOnce();
    expect(sends).toHaveLength(0);
    expect(states()).toMatchObject({ 'r-0.json': 'kept', 'r-1.json': 'chosen', 'r-10.json': 'chosen' });
    await manager.start([]);
    await settle();
    expect(sends).toHaveLength(3);
  });

  it.each(['cancelAll', 'drop'] as const)(
    'is not created after %s during the overwrite question',
    async (end) => {
      const { manager, sends, openBatch } = setUp(['r-0.json']);
      manager.add(many(12));
      await manager.start([]);
      manager[end]();
      await settle();
      expect(openBatch).not.toHaveBeenCalled();
      manager.add([fileOf('later.json')]);
      await manager.start([]);
      expect(sends.map(({ name }) => name)).toEqual(['later.json']);
    },
  );

  it.each([
    ['cancelAll', 1],
    ['drop', 0],
  ] as const)(
    'that is being created during %s is closed %i times and receives no file',
    async (end, times) => {
      const { manager, sends, openBatch, closeBatch } = setUp();
      const { promise, resolve } = Promise.withResolvers<string>();
      openBatch.mockReturnValueOnce(promise);
      manager.add(many(12));
      await manager.start([]);
      manager[end]();
      resolve('batch-1');
      await settle();
      expect(closeBatch).toHaveBeenCalledTimes(times);
      expect(sends).toHaveLength(0);
    },
  );

  it('is not created for fewer files', async () => {
    const { manager, sends, openBatch } = setUp();
    manager.add(many(9));
    await manager.start([]);
    expect(openBatch).not.toHaveBeenCalled();
    expect(sends[0]?.options.batchId).toBeNull();
  });

  it('stays open while a file failed that can be sent again', async () => {
    const { manager, sends, send, closeBatch } = setUp();
    manager.add(many(10));
    await manager.start([]);
    send('r-0.json').fail(500, 'Internal error');
    for (let n = 1; n < 10; n += 1) {
      await settle();
      sends[n]?.succeed();
    }
    await settle();
    expect(closeBatch).not.toHaveBeenCalled();
    manager.retryAll();
    sends.at(-1)?.succeed();
    await settle();
    expect(closeBatch).toHaveBeenCalledTimes(1);
  });

  it('is closed again after one of its cancelled files is sent after all, as that opens it', async () => {
    const { manager, sends, closeBatch } = setUp();
    manager.add(many(10));
    await manager.start([]);
    sends[0]?.succeed();
    await settle();
    manager.cancelAll();
    await settle();
    expect(closeBatch).toHaveBeenCalledTimes(1);
    manager.retry(manager.get().uploads.at(-1)?.id ?? 0);
    sends.at(-1)?.succeed();
    await settle();
    expect(closeBatch).toHaveBeenCalledTimes(2);
  });

  it('expects each name once', async () => {
    const { manager, openBatch } = setUp();
    manager.add([...many(10), fileOf('R-0.json', 300)]);
    await manager.start([]);
    const [files] = openBatch.mock.calls[0] ?? [];
    expect(files).toHaveLength(10);
    expect(files?.map(({ name }) => name)).not.toContain('r-0.json');
  });

  it('is not continued with an earlier file of a name whose last file was received', async () => {
    const { manager, sends, states } = setUp();
    const names = ['a.json', 'zz.json', 'A.json'];
    manager.add(names.map((name) => fileOf(name, name === 'A.json' ? 100 : 40)));
    await manager.start([], 'batch-7');
    expect(states()).toEqual({ 'a.json': 'superseded', 'zz.json': 'sending', 'A.json': 'kept' });
    expect(sends.map((s) => s.name)).toEqual(['zz.json']);
  });

  it('is continued without the files that it has received', async () => {
    const { manager, sends, states, openBatch } = setUp();
    manager.add([fileOf('a.json'), fileOf('b.json')]);
    await manager.start([], 'batch-7');
    expect(openBatch).not.toHaveBeenCalled();
    expect(states()).toEqual({ 'a.json': 'kept', 'b.json': 'sending' });
    expect(sends.map(({ options }) => options.batchId)).toEqual(['batch-7']);
  });

  it('ends when it was cancelled in another tab', async () => {
    const { manager, sends, send, states } = setUp();
    manager.add(many(10));
    await manager.start([]);
    send('r-0.json').fail(409, 'The batch was cancelled.');
    await settle();
    expect(sends).toHaveLength(3);
    expect(Object.values(states()).filter((state) => state === 'cancelled')).toHaveLength(10);
    expect(totalsOf(manager.get().uploads)).toMatchObject({ cancelled: 10, failed: 0, retryable: 0 });
    // The batch takes no more files.
    expect(manager.get().uploads.some(isRetryable)).toBe(false);
    expect(manager.get().uploads[4]?.reason).toBe('The batch was cancelled.');
  });

  it('can be sent again after a login when the session ended', async () => {
    const { manager, sends, send, states } = setUp();
    manager.add(many(10));
    await manager.start([]);
    send('r-0.json').fail(401, 'Your session has ended.');
    await settle();
    expect(sends).toHaveLength(3);
    expect(Object.values(states()).filter((state) => state === 'failed')).toHaveLength(8);
    manager.retryAll();
    expect(Object.values(states()).filter((state) => state === 'failed')).toHaveLength(0);
  });
});
