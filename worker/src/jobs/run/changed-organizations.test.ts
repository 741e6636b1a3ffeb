import { setImmediate } from 'node:timers/promises';
import { organizationsChangedTopic } from '@riskboard/contract';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Deps } from '../../deps.ts';
import { publishEvents } from './publish.ts';
import { collectChanges, noteChange } from './changed-organizations.ts';

const nothing = () => undefined;

/** A relay whose messages the test sends. */
function testRelay() {
  const handlers = new Map<string, ((message: unknown, topic: string) => unknown)[]>();
  const relay: Deps['relay'] = {
    publish: async () => undefined,
    async subscribe(pattern, handler) {
      handlers.set(pattern, [...(handlers.get(pattern) ?? []), handler]);
      return async () => void handlers.delete(pattern);
    },
  };
  const receive = (organizationIds: string[]) => {
    for (const handler of handlers.get(organizationsChangedTopic) ?? [])
      handler({ organizationIds }, organizationsChangedTopic);
  };
  return { relay, receive, handlers };
}

it('collects the changes of jobs of this process and those that an api announces, each once', () => {
  const { relay, receive } = testRelay();
  const changes = collectChanges(relay, nothing);
  noteChange(relay, 'a');
  receive(['a', 'b']);
  receive(['b']);
  expect(changes.take()).toEqual(['a', 'b']);
  expect(changes.take()).toEqual([]);
});

it('gives a change to each collector of the process', () => {
  const { relay, receive } = testRelay();
  const [alerts, scores] = [collectChanges(relay, nothing), collectChanges(relay, nothing)];
  noteChange(relay, 'a');
  receive(['b']);
  expect(alerts.take()).toEqual(['a', 'b']);
  expect(scores.take()).toEqual(['a', 'b']);
});

it('subscribes to one topic, so that the events of other workers do not reach this one', () => {
  const { relay, handlers } = testRelay();
  collectChanges(relay, nothing);
  expect([...handlers.keys()]).toEqual([organizationsChangedTopic]);
});

it('collects nothing after it was stopped', async () => {
  const { relay, handlers } = testRelay();
  const changes = collectChanges(relay, nothing);
  changes.stop();
  noteChange(relay, 'a');
  expect(changes.take()).toEqual([]);
  await setImmediate();
  expect(handlers.size).toBe(0);
});

it('notes an organization whose job publishes a change of records, and not one of alerts', async () => {
  const { relay } = testRelay();
  const deps = { relay, log: pino({ level: 'silent' }) } as Deps;
  const changes = collectChanges(relay, nothing);
  const change = { action: 'created', by: null, count: 3 } as const;
  await publishEvents(deps, 'a', [{ type: 'alert.changed', ...change }]);
  expect(changes.take()).toEqual([]);
  await publishEvents(deps, 'a', [{ type: 'vulnerability.changed', ...change }]);
  expect(changes.take()).toEqual(['a']);
});

it('hands a failed subscription to the error handler, and still collects its own changes', async () => {
  const relay: Deps['relay'] = {
    publish: async () => undefined,
    subscribe: () => Promise.reject(new Error('unreachable')),
  };
  const errors: unknown[] = [];
  const changes = collectChanges(relay, (error) => errors.push(error));
  await setImmediate();
  noteChange(relay, 'a');
  expect(errors).toHaveLength(1);
  expect(changes.take()).toEqual(['a']);
});
