import { describe, expect, it } from 'vitest';
import { isDue, nameOf, outdated, readDailyTime } from './plan.ts';

const at = (text: string): Date => new Date(`2026-03-${text}Z`);
const never = { succeededAt: null, failedAt: null };
const time = readDailyTime('02:30');

describe('a scheduled backup', () => {
  it.each([
    ['the first time, at once', '10T12:00', never, true],
    ['after its time of day', '10T02:30', { ...never, succeededAt: at('09T02:30:05') }, true],
    ['before its time of day', '10T02:29', { ...never, succeededAt: at('09T02:30:05') }, false],
    ['again on the same day', '10T23:59', { ...never, succeededAt: at('10T02:31') }, false],
    ['when the time passed while nothing ran', '10T09:00', { ...never, succeededAt: at('08T02:31') }, true],
    ['within an hour after a failure', '10T03:20', { ...never, failedAt: at('10T02:31') }, false],
    ['an hour after a failure', '10T03:31', { ...never, failedAt: at('10T02:31') }, true],
    [
      'after a failure that was repaired',
      '10T09:00',
      { succeededAt: at('10T03:31'), failedAt: at('10T02:31') },
      false,
    ],
  ])('%s: at %s with %j it is due: %s', (_when, now, attempts, due) => {
    expect(isDue(at(now), time, attempts)).toBe(due);
  });

  it('has the instant in its name', () => {
    expect(nameOf(at('10T02:30:05.123'))).toBe('riskboard-20260310T023005Z.backup');
  });

  it('is deleted when newer ones suffice, and no other file is', () => {
    const names = ['10', '12', '09', '11'].map((day) => nameOf(at(`${day}T02:30`)));
    const others = ['riskboard-old.backup', 'all.backup', 'riskboard-20200101T000000Z.backup.draft', 'z'];
    expect(outdated([...names, ...others], 2)).toEqual([names[0], names[2]]);
    expect(outdated(names, 7)).toEqual([]);
  });
});
