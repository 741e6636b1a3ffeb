import { afterEach, expect, test, vi } from 'vitest';
import { dayOf, momentOf } from './day.ts';

afterEach(() => vi.unstubAllEnvs());

test.each(['UTC', 'America/Los_Angeles', 'Pacific/Auckland', 'Asia/Kathmandu'])(
  'a day chosen in %s is the same day when the form is opened again',
  (zone) => {
    vi.stubEnv('TZ', zone);
    for (const day of ['2026-11-21', '2024-02-29', '2026-03-29', '1999-12-31', '0099-01-01']) {
      expect(dayOf(momentOf(day))).toBe(day);
    }
  },
);

test('a day begins where the reader is', () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  expect(momentOf('2026-11-21')).toBe('2026-11-21T08:00:00.000Z');
});

test('none stays none, and what is no day is left for the schema to refuse', () => {
  expect(dayOf(null)).toBe('');
  expect(momentOf('')).toBe('');
  expect(momentOf('tomorrow')).toBe('tomorrow');
});
