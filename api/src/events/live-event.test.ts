import type { ChangedEvent, Job } from '@riskboard/contract';
import { expect, it } from 'vitest';
import { liveEvent, WaitingEvents } from './live-event.ts';

const changed = (fields: Partial<ChangedEvent>): ChangedEvent => ({
  type: 'vulnerability.changed',
  action: 'updated',
  by: null,
  count: 1,
  ...fields,
});
const updated = (_id: string, version: number) =>
  ({ type: 'job.updated', job: { _id, version } as Job }) as const;

function taken(...messages: Parameters<typeof liveEvent>[0][]): unknown[] {
  const waiting = new WaitingEvents();
  for (const message of messages) waiting.add(liveEvent(message));
  const all: unknown[] = [];
  for (let event = waiting.take(); event !== undefined; event = waiting.take())
    all.push(JSON.parse(String(event.data)));
  expect(waiting).toMatchObject({ bytes: 0, isEmpty: true });
  return all;
}

it('keeps the newest state of a job, also when an older one arrives later', () => {
  expect(taken(updated('a', 2), updated('b', 1), updated('a', 1))).toEqual([
    updated('b', 1),
    updated('a', 2),
  ]);
});

it('names every row of merged changes', () => {
  expect(taken(changed({ ids: ['a', 'b'], count: 2 }), changed({ ids: ['b', 'c'], count: 2 }))).toEqual([
    changed({ ids: ['a', 'b', 'c'], count: 3 }),
  ]);
});

it('names no row when one of the changes names none, or there are more than 100', () => {
  const many = (from: number) => Array.from({ length: 60 }, (_, n) => `id ${from + n}`);
  expect(taken(changed({ ids: ['a'] }), changed({ count: 5 }))).toEqual([changed({ count: 6 })]);
  expect(taken(changed({ ids: many(0), count: 60 }), changed({ ids: many(50), count: 60 }))).toEqual([
    changed({ count: 120 }),
  ]);
});

it('does not merge changes of different nouns, actions or accounts, nor events of a newer version', () => {
  const different = [
    changed({}),
    changed({ type: 'threat.changed' }),
    changed({ action: 'deleted' }),
    changed({ by: 'ada' }),
    { type: 'planet.moved' } as unknown as ChangedEvent,
    { type: 'planet.moved' } as unknown as ChangedEvent,
  ];
  expect(taken(...different)).toEqual(different);
});
