import { afterEach, describe, expect, test, vi } from 'vitest';
import { dayAt, formatDay, formatFullDay } from './day.ts';

afterEach(() => vi.unstubAllEnvs());

describe.each(['UTC', 'America/Los_Angeles', 'Pacific/Auckland', 'Asia/Kathmandu'])('in %s', (zone) => {
  test.each([
    ['2024-05-01', 'May 1, 2024', 'Wednesday, May 1, 2024'],
    ['2024-02-29', 'Feb 29, 2024', 'Thursday, February 29, 2024'],
    ['2026-03-29', 'Mar 29, 2026', 'Sunday, March 29, 2026'],
    ['1999-12-31', 'Dec 31, 1999', 'Friday, December 31, 1999'],
    ['2024-05-01T00:00:00Z', 'May 1, 2024', 'Wednesday, May 1, 2024'],
    ['2024-05-01T23:30:00-08:00', 'May 1, 2024', 'Wednesday, May 1, 2024'],
  ])('the day %s is written as %s', (day, text, fullText) => {
    vi.stubEnv('TZ', zone);
    expect(formatDay(day)).toBe(text);
    expect(formatFullDay(day)).toBe(fullText);
  });
});

test('text that is not a day is shown as it is', () => {
  expect(formatDay('tomorrow')).toBe('tomorrow');
});

test.each([
  ['America/Los_Angeles', '2026-11-21'],
  ['Pacific/Auckland', '2026-11-22'],
])('today in %s is the day of that zone', (zone, day) => {
  vi.stubEnv('TZ', zone);
  expect(dayAt(Date.parse('2026-11-22T07:00:00Z'))).toBe(day);
});
