import { jobCancelledTopic } from '@riskboard/contract';
import { expect, it, vi } from 'vitest';
import { onCancelled } from './cancellations.ts';

type Handler = Parameters<Parameters<typeof onCancelled>[0]['subscribe']>[1];

/** A relay that delivers when a test calls `cancel`; its first `failures` subscriptions are rejected. */
function fakeRelay(failures = 0) {
  const handlers: Handler[] = [];
  let left = failures;
  const subscribe = vi.fn<(pattern: string, handler: Handler) => Promise<() => Promise<void>>>(
    async (_pattern, handler) => {
      left -= 1;
      if (left >= 0) throw new Error('down');
      handlers.push(handler);
      return async () => undefined;
    },
  );
  return {
    subscribe,
    cancel: (id: string) => Promise.all(handlers.map(async (handler) => handler({}, jobCancelledTopic(id)))),
  };
}

it('a cancellation aborts the run of its job and no other, over one subscription of the process', async () => {
  const relay = fakeRelay();
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
  onCancelled(relay, 'a', first);
  onCancelled(relay, 'b', second);
  await relay.cancel('b');
  expect(relay.subscribe).toHaveBeenCalledTimes(1);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledTimes(1);
});

it('a cancellation after the end of a run aborts nothing', async () => {
  const relay = fakeRelay();
  const abort = vi.fn<() => void>();
  onCancelled(relay, 'a', abort)();
  await relay.cancel('a');
  expect(abort).not.toHaveBeenCalled();
});

it('the end of an earlier run of a job does not end the watch of a later one', async () => {
  const relay = fakeRelay();
  const [earlier, later] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const end = onCancelled(relay, 'a', earlier);
  onCancelled(relay, 'a', later);
  end();
  await relay.cancel('a');
  expect(earlier).not.toHaveBeenCalled();
  expect(later).toHaveBeenCalledTimes(1);
});

it('the next run subscribes when a subscription failed', async () => {
  const relay = fakeRelay(1);
  const abort = vi.fn<() => void>();
  onCancelled(relay, 'a', vi.fn<() => void>());
  await new Promise(setImmediate);
  onCancelled(relay, 'b', abort);
  await new Promise(setImmediate);
  await relay.cancel('b');
  expect(relay.subscribe).toHaveBeenCalledTimes(2);
  expect(abort).toHaveBeenCalledTimes(1);
});
