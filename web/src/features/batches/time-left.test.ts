import { expect, test } from 'vitest';
import { type Sample, timeLeft, withSample } from './time-left.ts';

/** Samples of pairs of seconds and ended files. */
const samplesOf = (...pairs: readonly (readonly [seconds: number, done: number])[]) =>
  pairs.reduce<readonly Sample[]>(
    (samples, [seconds, done]) => withSample(samples, { at: seconds * 1000, done }),
    [],
  );

test.each([
  ['at the rate since the first sample', samplesOf([0, 100], [10, 120]), 10, 50],
  ['longer while no file ends', samplesOf([0, 100], [10, 120]), 20, 100],
  ['at the rate of the last minute', samplesOf([0, 0], [3600, 100], [3610, 120]), 3610, 50],
  ['at the rate of two files that end seldom', samplesOf([0, 0], [300, 1]), 300, 30_000],
] as const)('the time left is estimated %s', (_what, samples, now, seconds) => {
  expect(timeLeft(samples, { now: now * 1000, left: 100 })).toBe(seconds * 1000);
});

test('there is no estimate before a file has ended, over a short span, or after a retry', () => {
  expect(timeLeft(samplesOf([0, 100]), { now: 60_000, left: 10 })).toBeNull();
  expect(timeLeft(samplesOf([0, 100], [2, 101]), { now: 2000, left: 10 })).toBeNull();
  expect(timeLeft(samplesOf([0, 100], [10, 120], [20, 90]), { now: 60_000, left: 10 })).toBeNull();
});
