import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';

let folder: string;
let file: string;
let heartbeat: Heartbeat | undefined;
const onError = vi.fn<(error: unknown) => void>();

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
  onError.mockClear();
  folder = await mkdtemp(join(tmpdir(), 'riskboard-heartbeat-'));
  file = join(folder, 'heartbeat');
});
afterEach(async () => {
  await heartbeat?.stop();
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

const written = (): Promise<string> => readFile(file, 'utf8').catch(() => '');
const timeIn = (): Promise<string> =>
  vi.waitFor(async () => expect(await written()).toMatch(/Z\n$/u)).then(written);

/** Resolves when the rounds that have begun have written. */
async function settle(): Promise<void> {
  await heartbeat?.stop();
}

it('writes the time at once and while sweeps end', async () => {
  heartbeat = startHeartbeat({ file, sweepMs: 5000, onError });
  const first = await timeIn();
  vi.advanceTimersByTime(50_000);
  heartbeat.sweepEnded();
  await vi.waitFor(async () => expect((await timeIn()) > first).toBe(true));
  vi.advanceTimersByTime(40_000);
  await rm(file, { force: true });
  // 100 s after the start, but 50 s after the end of a sweep. The interval starts no round while another one runs.
  await vi.waitFor(async () => {
    vi.advanceTimersByTime(10_000);
    expect(await written()).toMatch(/Z\n$/u);
  });
  expect(onError).not.toHaveBeenCalled();
});

it('stops writing when no sweep ends', async () => {
  heartbeat = startHeartbeat({ file, sweepMs: 5000, onError });
  const first = await timeIn();
  vi.advanceTimersByTime(60_000);
  await vi.waitFor(async () => expect((await timeIn()) > first).toBe(true));
  await rm(file);
  vi.advanceTimersByTime(10_000);
  await settle();
  expect(await written()).toBe('');
});

it('continues to write when the clock of the computer is set forward', async () => {
  heartbeat = startHeartbeat({ file, sweepMs: 5000, onError });
  await timeIn();
  await rm(file);
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(10_000);
  expect(await timeIn()).not.toBe('');
});

it('reports a file that it cannot write, and continues', async () => {
  heartbeat = startHeartbeat({ file: join(folder, 'absent', 'heartbeat'), sweepMs: 5000, onError });
  await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
});
