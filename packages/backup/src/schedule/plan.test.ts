import { describe, expect, it } from 'vitest';
import { drafts, isDue, nameOf, outdated, readDailyTime } from './plan.ts';

const at = (text: string): Date => new Date(`2026-03-${text}Z`);
const never = { succeededAt: null, failedAt: null };
const time = readDailyTime('02:30');
const installation = '0a1b2c3d';
const other = 'ffffffff';
/** A name that an earlier version wrote. */
const formerName = (name: string) => name.replace(`-${installation}`, '');

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
    [
      'when the clock was ahead at the last success',
      '10T09:00',
      { ...never, succeededAt: at('11T02:31') },
      true,
    ],
    [
      'when the clock was ahead at the last failure',
      '10T09:00',
      { succeededAt: at('09T02:31'), failedAt: at('11T02:31') },
      true,
    ],
    [
      'soon after the one that followed a failure',
      '10T02:30',
      { succeededAt: at('10T02:20'), failedAt: at('10T02:20') },
      true,
    ],
  ])('%s: at %s with %j it is due: %s', (_when, now, attempts, due) => {
    expect(isDue(at(now), time, attempts)).toBe(due);
  });

  it('has the instant and the installation in its name', () => {
    expect(nameOf(at('10T02:30:05.123'), installation)).toBe('riskboard-20260310T023005Z-0a1b2c3d.backup');
  });

  it('is deleted when newer ones suffice, and no other file is', () => {
    const names = ['10', '12', '09', '11'].map((day) => nameOf(at(`${day}T02:30`), installation));
    const others = ['riskboard-old.backup', 'all.backup', 'riskboard-20200101T000000Z.backup.draft', 'z'];
    const written = names[1] ?? '';
    expect(outdated([...names, ...others], { keep: 2, written, installation })).toEqual([names[0], names[2]]);
    expect(outdated(names, { keep: 7, written, installation })).toEqual([]);
  });

  it('is kept when older ones have later names, because the clock was ahead; those are deleted first', () => {
    const [before, written, ...ahead] = ['09', '10', '20', '21', '22'].map((day) =>
      nameOf(at(`${day}T02:30`), installation),
    );
    const names = [before ?? '', written ?? '', ...ahead];
    expect(outdated(names, { keep: 3, written: written ?? '', installation })).toEqual([ahead[1], ahead[0]]);
    expect(outdated(names, { keep: 1, written: written ?? '', installation })).not.toContain(written);
  });

  it('of another installation in the same folder is kept, and files of earlier versions too then', () => {
    const names = ['09', '10', '11'].map((day) => nameOf(at(`${day}T02:30`), installation));
    const theirs = nameOf(at('08T02:30'), other);
    const former = formerName(nameOf(at('08T02:30'), installation));
    const kept = { keep: 2, written: names[2] ?? '', installation };
    expect(outdated([...names, theirs, former], kept)).toEqual([names[0]]);
    expect(outdated([...names, former], kept)).toEqual([names[0], former]);
    const unfinished = [former, theirs, names[2]].map((name) => `${name}.0a1b2c3d.draft`);
    expect(drafts(unfinished, installation)).toEqual([unfinished[2]]);
    expect(drafts([unfinished[0] ?? ''], installation)).toEqual([unfinished[0]]);
  });

  it('is unfinished when it is the draft of a scheduled name', () => {
    const name = nameOf(at('10T02:30'), installation);
    const ofSchedule = [`${name}.0a1b2c3d.draft`, `${name}.draft`];
    const others = [name, 'mine.backup.draft', 'mine.backup.0a1b2c3d.draft', 'riskboard-old.backup.draft'];
    expect(drafts([...others, ...ofSchedule], installation)).toEqual(ofSchedule);
  });
});
