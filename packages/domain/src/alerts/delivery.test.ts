import { describe, expect, it } from 'vitest';
import { isDelivered, mailDueAt, nextAttemptAfter } from './delivery.ts';

describe('the attempts of a delivery', () => {
  it('are eight, at growing distances, over more than a day', () => {
    const delays: number[] = [];
    for (let tries = 1; ; tries += 1) {
      const delay = nextAttemptAfter(tries);
      if (delay === undefined) break;
      delays.push(delay);
    }
    expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 28_800, 36_000]);
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(24 * 3600);
  });

  it.each([
    [199, false],
    [200, true],
    [204, true],
    [299, true],
    [301, false],
    [410, false],
    [500, false],
  ])('with status %i are a delivery: %s', (status, delivered) => {
    expect(isDelivered(status)).toBe(delivered);
  });
});

describe('an email about an alert', () => {
  it.each([
    ['immediately', '2026-11-22T10:20:30.400Z', '2026-11-22T10:20:30.400Z'],
    ['hourly', '2026-11-22T10:20:30.400Z', '2026-11-22T11:00:00.000Z'],
    ['hourly', '2026-11-22T23:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['daily', '2026-11-22T05:59:59.999Z', '2026-11-22T06:00:00.000Z'],
    ['daily', '2026-11-22T06:00:00.000Z', '2026-11-23T06:00:00.000Z'],
    ['daily', '2026-12-31T20:00:00.000Z', '2027-01-01T06:00:00.000Z'],
  ] as const)('%s at %s is due at %s', (digest, now, due) => {
    expect(mailDueAt(digest, new Date(now)).toISOString()).toBe(due);
  });
});
