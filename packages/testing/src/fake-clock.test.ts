import { expect, it } from 'vitest';
import { fakeClock } from './fake-clock.ts';

it('changes only through advance and set, not through the dates it returns', () => {
  const clock = fakeClock('2026-01-01T00:00:00Z');
  clock.now().setFullYear(1999);
  expect(clock.now().toISOString()).toBe('2026-01-01T00:00:00.000Z');
  clock.advance(1500);
  expect(clock.now().toISOString()).toBe('2026-01-01T00:00:01.500Z');
  clock.set('2027-01-01T00:00:00Z');
  expect(clock.now().toISOString()).toBe('2027-01-01T00:00:00.000Z');
});
