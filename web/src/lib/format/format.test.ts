import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  formatDate,
  formatExposure,
  formatFileDate,
  formatRelative,
  formatScore,
  formatSize,
  roundToHundredths,
} from './format.ts';

afterEach(() => vi.unstubAllEnvs());

describe('file sizes: Bytes, KB, MB, GB at factor 1024, 2 decimals (spec 9)', () => {
  test.each([
    [0, '0 Bytes'],
    [1, '1 Bytes'],
    [1023, '1023 Bytes'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [1_048_524, '1023.95 KB'],
    [1_048_575, '1 MB'],
    [1_048_576, '1 MB'],
    [123_456_789, '117.74 MB'],
    [1_073_741_823, '1 GB'],
    [1_073_741_824, '1 GB'],
    [5_497_558_138_880, '5120 GB'],
  ])('%i is %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));
});

describe('dates: en-US; of files with short month and time (spec 9)', () => {
  test('date', () => expect(formatDate('2026-11-21T09:05:00.000Z')).toBe('Nov 21, 2026'));
  test('file date', () => expect(formatFileDate('2026-11-21T21:05:00.000Z')).toBe('Nov 21, 2026, 09:05 PM'));
});

describe('relative times', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  test.each([
    ['2026-11-21T11:59:30.000Z', 'just now'],
    ['2026-11-21T12:00:45.000Z', 'just now'],
    ['2026-11-21T11:59:00.000Z', '1 minute ago'],
    ['2026-11-21T11:00:01.000Z', '59 minutes ago'],
    ['2026-11-21T12:59:50.000Z', 'in 1 hour'],
    ['2026-11-21T10:01:00.000Z', '1 hour ago'],
    ['2026-11-20T12:00:01.000Z', '23 hours ago'],
    ['2026-11-21T14:00:00.000Z', 'in 2 hours'],
    ['2026-11-20T11:00:00.000Z', 'yesterday'],
    ['2026-11-22T11:59:58.000Z', 'tomorrow'],
    ['2026-11-22T20:00:00.000Z', 'tomorrow'],
    ['2026-11-28T11:59:58.000Z', 'in 7 days'],
    ['2026-11-29T12:00:00.000Z', 'in 1 week'],
    ['2026-11-07T12:00:00.000Z', '2 weeks ago'],
    ['2026-10-22T12:00:00.000Z', '4 weeks ago'],
    ['2026-10-12T12:00:00.000Z', '1 month ago'],
    ['2025-11-22T12:00:00.000Z', '11 months ago'],
    ['2025-11-21T12:00:00.000Z', '1 year ago'],
    ['2027-11-20T12:00:00.000Z', 'in 1 year'],
  ])('%s is %s', (iso, text) => expect(formatRelative(iso, now)).toBe(text));

  // 2026-11-22T07:00Z is 23:00 of the day before in Los Angeles and 20:00 in Auckland.
  test.each([
    ['America/Los_Angeles', '2026-11-20T07:00:00.000Z', '2 days ago'],
    ['America/Los_Angeles', '2026-11-20T08:30:00.000Z', 'yesterday'],
    ['America/Los_Angeles', '2026-11-23T07:30:00.000Z', 'tomorrow'],
    ['America/Los_Angeles', '2026-11-23T08:30:00.000Z', 'in 2 days'],
    ['Pacific/Auckland', '2026-11-20T08:30:00.000Z', '2 days ago'],
    ['Pacific/Auckland', '2026-11-20T11:30:00.000Z', 'yesterday'],
  ])('in %s, %s is %s by the days of its calendar', (zone, iso, text) => {
    vi.stubEnv('TZ', zone);
    expect(formatRelative(iso, Date.parse('2026-11-22T07:00:00.000Z'))).toBe(text);
  });
});

test.each([
  [0, '0.0'],
  [10, '10.0'],
  [6.99, '6.99'],
  [7, '7.0'],
  [8.005, '8.0'],
  [8.7, '8.7'],
  [8.99, '8.99'],
  [8.999, '8.99'],
  [8.999_999_999_999_998, '8.99'],
  [1e-7, '0.0'],
  [99.95, '99.95'],
])('score %d is %s: cut, not rounded', (value, text) => expect(formatScore(value)).toBe(text));

test.each([
  [0, '0.00', 0],
  [10, '10.00', 10],
  [6.126, '6.13', 6.13],
  [0.045, '0.05', 0.05],
  [4.035, '4.04', 4.04],
  [6.115, '6.12', 6.12],
  [1200, '1200.00', 1200],
])('the exposure %d is %s: rounded half up, as it is written', (value, text, number) => {
  expect(formatExposure(value)).toBe(text);
  expect(roundToHundredths(value)).toBe(number);
});

test('every tenth of a score is itself', () => {
  for (let tenths = 0; tenths <= 1000; tenths += 1) {
    const written = `${Math.floor(tenths / 10)}.${tenths % 10}`;
    expect(formatScore(Number(written))).toBe(written);
  }
});
