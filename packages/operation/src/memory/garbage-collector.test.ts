import { expect, it } from 'vitest';
import { garbageCollector } from './garbage-collector.ts';

it('frees what nothing refers to', async () => {
  const collect = garbageCollector();
  const dropped = new WeakRef(Array.from({ length: 1000 }, (_, n) => ({ n })));
  // A reference made in this turn of the event loop lives until its end.
  await new Promise((resolve) => setTimeout(resolve));
  collect();
  expect(dropped.deref()).toBeUndefined();
});
