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

/** Whether a backup is due: none succeeded since the last scheduled time, and none failed within the last hour. */
export function isDue(now: Date, time: DailyTime, { succeededAt, failedAt }: Attempts): boolean {
  if (failedAt !== null && now.getTime() - failedAt.getTime() < retryMs) return false;
  return succeededAt === null || succeededAt.getTime() < lastScheduled(now, time);
}

const scheduledName = /^riskboard-\d{8}T\d{6}Z\.backup$/u;

/** Name of the backup of an instant; names sort by time. */
export const nameOf = (at: Date): string =>
  `riskboard-${at.toISOString().replaceAll(/[-:]|\.\d+/gu, '')}.backup`;

/** The scheduled backups beyond the newest `keep`. Other files are never among them. */
export const outdated = (names: readonly string[], keep: number): string[] =>
  names
    .filter((name) => scheduledName.test(name))
    .toSorted()
    .toReversed()
    .slice(keep);
