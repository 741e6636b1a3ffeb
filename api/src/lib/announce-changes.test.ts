import { organizationsChangedTopic } from '@riskboard/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { announceChange } from './announce-changes.ts';
import { afterCommit } from './publish.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A relay that keeps what is published. */
function recordingRelay() {
  const sent: { topic: string; message: unknown }[] = [];
  return {
    /** The organizations that each message named. */
    named: () =>
      sent
        .filter(({ topic }) => topic === organizationsChangedTopic)
        .map(({ message }) => (message as { organizationIds: string[] }).organizationIds),
    relay: {
      publish: async (topic: string, message: unknown) => void sent.push({ topic, message }),
      subscribe: async () => async () => undefined,
    },
  };
}

it('announces the first change at once, and those of the next second in one message', async () => {
  const { relay, named } = recordingRelay();
  announceChange(relay, 'a');
  expect(named()).toEqual([['a']]);
  for (let n = 0; n < 500; n += 1) announceChange(relay, n % 2 === 0 ? 'a' : 'b');
  expect(named()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(named()).toEqual([['a'], ['a', 'b']]);
});

it('sends nothing while nothing changes, and the next change at once again', async () => {
  const { relay, named } = recordingRelay();
  announceChange(relay, 'a');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(named()).toHaveLength(1);
  announceChange(relay, 'a');
  expect(named()).toEqual([['a'], ['a']]);
});

it('names at most 1,000 organizations in a message, and the others in the next ones', async () => {
  const { relay, named } = recordingRelay();
  const ids = Array.from({ length: 2500 }, (_, n) => `organization-${n}`);
  for (const id of ids) announceChange(relay, id);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(named().map(({ length }) => length)).toEqual([1, 1000, 1000, 499]);
  expect(named().flat()).toEqual(ids);
});

it('goes on after a relay that refuses a message', async () => {
  const publish = vi
    .fn<() => Promise<void>>(async () => undefined)
    .mockRejectedValueOnce(new Error('unreachable'));
  announceChange({ publish }, 'a');
  announceChange({ publish }, 'b');
  await vi.advanceTimersByTimeAsync(1000);
  expect(publish).toHaveBeenLastCalledWith(organizationsChangedTopic, { organizationIds: ['b'] });
});

it('a change of records is announced to the workers, a change of alerts is not', async () => {
  const { relay, named } = recordingRelay();
  const unused = { enqueue: async () => undefined, ping: async () => undefined, workers: async () => 1 };
  const after = afterCommit({ producer: unused, relay }, { warn: () => undefined } as never);
  const change = { action: 'updated', by: null, count: 1 } as const;
  await after.events('a', [{ type: 'alert.changed', ...change }]);
  expect(named()).toEqual([]);
  await after.events('a', [{ type: 'vulnerability.changed', ...change }]);
  expect(named()).toEqual([['a']]);
});
