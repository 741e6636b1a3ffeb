import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work whose rounds end when the test resolves them. */
function controlledWork() {
  const rounds: PromiseWithResolvers<void>[] = [];
  const work = (): Promise<void> => {
    const round = Promise.withResolvers<void>();
    rounds.push(round);
    return round.promise;
  };
  return { rounds, work };
}

it('runs at its interval, and skips a round while the previous one is running', async () => {
  const { rounds, work } = controlledWork();
  const repeating = repeat({ everyMs: 100, work, onError: vi.fn<(error: unknown) => void>() });
  expect(rounds).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(450);
  expect(rounds).toHaveLength(1);
  rounds[0]?.resolve();
  await vi.advanceTimersByTimeAsync(60);
  expect(rounds).toHaveLength(2);
  rounds[1]?.resolve();
  await repeating.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(rounds).toHaveLength(2);
});

it('runs at once on demand, and once more after any number of requests during a round', async () => {
  const { rounds, work } = controlledWork();
  const repeating = repeat({ everyMs: 1000, work, onError: vi.fn<(error: unknown) => void>() });
  repeating.now();
  expect(rounds).toHaveLength(1);
  repeating.now();
  repeating.now();
  expect(rounds).toHaveLength(1);
  rounds[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds).toHaveLength(2);
  rounds[1]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds).toHaveLength(2);
  await repeating.stop();
});

it('a failed round is reported and further rounds run', async () => {
  const onError = vi.fn<(error: unknown) => void>();
  const failure = new Error('once');
  const work = vi.fn<() => Promise<void>>(() => Promise.resolve()).mockRejectedValueOnce(failure);
  const repeating = repeat({ everyMs: 100, work, onError });
  await vi.advanceTimersByTimeAsync(250);
  expect(work).toHaveBeenCalledTimes(2);
  expect(onError.mock.calls).toEqual([[failure]]);
  await repeating.stop();
});

it('stopping waits for the running round and starts no other', async () => {
  const { rounds, work } = controlledWork();
  const repeating = repeat({ everyMs: 100, work, onError: vi.fn<(error: unknown) => void>() });
  repeating.now();
  repeating.now();
  let stopped = false;
  const stopping = repeating.stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(500);
  expect(stopped).toBe(false);
  rounds[0]?.resolve();
  await stopping;
  repeating.now();
  await vi.advanceTimersByTimeAsync(500);
  expect(rounds).toHaveLength(1);
});
