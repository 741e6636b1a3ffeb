import { pastTime } from '@riskboard/db';

/** When scheduled backups are written: once a day at a time of day in UTC. */
export interface DailyTime {
  hours: number;
  minutes: number;
}

/** After a failed attempt the next one waits this long, in milliseconds. */
const retryMs = 3_600_000;
const dayMs = 86_400_000;

export interface Attempts {
  succeededAt: Date | null;
  failedAt: Date | null;
}

/** @param text `HH:MM`, validated with the environment */
export function readDailyTime(text: string): DailyTime {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return { hours, minutes };
}

/** The last scheduled time that is not after `now`. */
function lastScheduled(now: Date, { hours, minutes }: DailyTime): number {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hours, minutes);
  return today <= now.getTime() ? today : today - dayMs;
}

/**
 * Whether a backup is due: none succeeded since the last scheduled time, and none has failed since then within the last
 * hour. Times later than now are ignored, because the clock of the database may have been ahead.
 */
export function isDue(now: Date, time: DailyTime, attempts: Attempts): boolean {
  const succeeded = pastTime(attempts.succeededAt, now)?.getTime() ?? -Infinity;
  const failed = pastTime(attempts.failedAt, now)?.getTime() ?? -Infinity;
  if (failed > succeeded && now.getTime() - failed < retryMs) return false;
  return succeeded < lastScheduled(now, time);
}

const scheduledName = /^riskboard-\d{8}T\d{6}Z\.backup$/u;
const draftName = /^riskboard-\d{8}T\d{6}Z\.backup(?:\.[\da-f]{8})?\.draft$/u;

/** Name of the backup of an instant; names sort by time. */
export const nameOf = (at: Date): string =>
  `riskboard-${at.toISOString().replaceAll(/[-:]|\.\d+/gu, '')}.backup`;

/** The unfinished scheduled backups, which only a killed process leaves. */
export const drafts = (names: readonly string[]): string[] => names.filter((name) => draftName.test(name));

/**
 * The scheduled backups beyond the newest `keep`. Other files are never among them. A name later than that of the backup
 * that was just written is of a time when the clock was ahead: such files are deleted first.
 */
export function outdated(
  names: readonly string[],
  { keep, written }: { keep: number; written: string },
): string[] {
  const sorted = names
    .filter((name) => scheduledName.test(name))
    .toSorted()
    .toReversed();
  const [past, later] = [sorted.filter((name) => name <= written), sorted.filter((name) => name > written)];
  return [...past, ...later].slice(keep);
}
