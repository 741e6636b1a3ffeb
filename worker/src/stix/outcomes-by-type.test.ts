import { expect, it } from 'vitest';
import { OutcomesByType } from './outcomes-by-type.ts';

const none = new Map<string, number>();

it('a type has the most frequent reason of its objects that were not mapped, of equally frequent ones the first by text', () => {
  const types = new OutcomesByType();
  const add = (type: string, outcome: 'mapped' | 'unmapped' | 'failed', reason: string | null) =>
    types.add({ type, outcome, reason });
  add('TTP', 'mapped', null);
  add('TTP', 'failed', 'c');
  add('TTP', 'failed', 'c');
  for (const reason of ['b', 'a', 'b', 'a', 'd']) add('TTP', 'unmapped', reason);
  add('malware', 'mapped', null);
  add('malware', 'mapped', null);
  expect(types.histogram()).toEqual({ TTP: 8, malware: 2 });
  expect(types.rows(new Map([['malware', 1]]))).toEqual([
    { type: 'TTP', total: 8, mapped: 1, unmapped: 5, failed: 2, superseded: 0, reason: 'a' },
    { type: 'malware', total: 2, mapped: 1, unmapped: 0, failed: 0, superseded: 1, reason: null },
  ]);
});

it('types beyond a thousand are counted together, and so are their superseded objects', () => {
  const types = new OutcomesByType();
  for (let n = 0; n < 1500; n += 1) {
    types.add({ type: `x-${n}`, outcome: 'unmapped', reason: `reason ${n}` });
    types.add({ type: `x-${n}`, outcome: 'mapped', reason: null });
  }
  const superseded = new Map(['x-3', 'x-1200', 'x-1300'].map((type) => [type, 1]));
  const rows = types.rows(superseded);
  expect(rows).toHaveLength(1001);
  expect(rows[0]).toMatchObject({ type: '(other)', total: 1000, mapped: 498, unmapped: 500, superseded: 2 });
  expect(rows.find(({ type }) => type === 'x-3')).toMatchObject({ total: 2, mapped: 0, superseded: 1 });
  expect(Object.keys(types.histogram())).toHaveLength(1001);
});

it('a type without objects that were not mapped has no reason, even with an unusual name', () => {
  const types = new OutcomesByType();
  types.add({ type: '__proto__', outcome: 'mapped', reason: null });
  expect(types.rows(none)).toEqual([
    { type: '__proto__', total: 1, mapped: 1, unmapped: 0, failed: 0, superseded: 0, reason: null },
  ]);
  expect(JSON.stringify(types.histogram())).toBe('{"__proto__":1}');
});
