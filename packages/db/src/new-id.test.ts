import { validate, version } from 'uuid';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { idOfKey, idsAfter, newId } from './new-id.ts';

const count = 5000;

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2100-01-01T00:00:00Z'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test('ids of one millisecond are valid, differ and sort by creation', () => {
  const ids = Array.from({ length: count }, newId);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids).size).toBe(count);
  expect(ids).toEqual(ids.toSorted());
});

test('an id names the millisecond of its creation', () => {
  vi.setSystemTime(Date.parse('2101-01-01T00:00:00Z'));
  expect(Number.parseInt(newId().replace('-', '').slice(0, 12), 16)).toBe(Date.now());
});

test('ids still sort after the clock was set back', () => {
  vi.setSystemTime(Date.parse('2102-01-01T00:00:00Z'));
  const before = newId();
  vi.setSystemTime(Date.parse('2099-01-01T00:00:00Z'));
  expect(newId() > before).toBe(true);
});

test('ids after another one sort after it, one after the other, with a clock that is behind it or ahead of it', () => {
  vi.setSystemTime(Date.parse('2110-01-01T00:00:00Z'));
  const ahead = newId();
  vi.setSystemTime(Date.parse('2109-01-01T00:00:00Z'));
  for (const newest of [ahead, newId(), 'ffffffff-0000-7000-8000-000000000000', undefined]) {
    const create = idsAfter(newest);
    const ids = [newest ?? '', create(), create(), create()];
    expect(ids).toEqual([...new Set(ids)].toSorted());
    expect(ids.slice(1).every((id) => validate(id) && version(id) === 7)).toBe(true);
  }
});

test('a key gives one id of its time to each owner, for 30 days, and a day before its time', () => {
  const now = Date.parse('2120-01-01T00:00:00Z');
  vi.setSystemTime(now);
  const key = newId();
  const id = idOfKey(key, ['ada']) ?? '';
  expect(validate(id) && version(id) === 7).toBe(true);
  expect(id.slice(0, 13)).toBe(key.slice(0, 13));
  expect(idOfKey(key.toUpperCase(), ['ada'])).toBe(id);
  expect([key, id]).not.toContain(idOfKey(key, ['bob']));
  const day = 86_400_000;
  const isTaken = (days: number): boolean => {
    vi.setSystemTime(now + days * day);
    return idOfKey(key, ['ada']) !== undefined;
  };
  expect([-2, -1, 30, 31].map(isTaken)).toEqual([false, true, true, false]);
  expect(idOfKey('ada', ['ada'])).toBeUndefined();
});
