import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shareRuns } from './share-runs.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('calls get the run in progress, and one that began in the time before', async () => {
  const ends: ((value: number) => void)[] = [];
  const call = shareRuns(1000, () => new Promise<number>((resolve) => void ends.push(resolve)));
  const calls = [call()];
  vi.advanceTimersByTime(5000);
  calls.push(call());
  expect(ends).toHaveLength(1);
  ends[0]?.(1);
  expect(await Promise.all(calls)).toEqual([1, 1]);
  const later = call();
  expect(ends).toHaveLength(2);
  ends[1]?.(2);
  expect(await later).toBe(2);
  vi.advanceTimersByTime(999);
  expect(await call()).toBe(2);
  vi.advanceTimersByTime(1);
  void call();
  expect(ends).toHaveLength(3);
});

it('calls share a failure too', async () => {
  const call = shareRuns(1000, () => Promise.reject(new Error('down')));
  await expect(call()).rejects.toThrow('down');
  await expect(call()).rejects.toThrow('down');
});
