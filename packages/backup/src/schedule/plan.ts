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

/** Group 1 is the installation, which the names of earlier versions lack. */
const scheduledName = /^riskboard-\d{8}T\d{6}Z(?:-([\da-f]{8}))?\.backup$/u;
const draftName = /^riskboard-\d{8}T\d{6}Z(?:-([\da-f]{8}))?\.backup(?:\.[\da-f]{8})?\.draft$/u;

/**
 * Name of the backup of an instant; names sort by time.
 * @param installation id of the database: installations that share a folder delete only their own files
 */
export const nameOf = (at: Date, installation: string): string =>
  `riskboard-${at.toISOString().replaceAll(/[-:]|\.\d+/gu, '')}-${installation}.backup`;

/** The names of one installation. Those of earlier versions count for it while no other one has files in the folder. */
function ownNames(names: readonly string[], pattern: RegExp, installation: string): string[] {
  const owners = names.map((name) => (scheduledName.exec(name) ?? draftName.exec(name))?.[1]);
  const isShared = owners.some((owner) => owner !== undefined && owner !== installation);
  return names.filter(
    (name, n) => pattern.test(name) && (owners[n] ?? (isShared ? '' : installation)) === installation,
  );
}

/** The unfinished scheduled backups of an installation, which only a killed process leaves. */
export const drafts = (names: readonly string[], installation: string): string[] =>
  ownNames(names, draftName, installation);

interface Kept {
  keep: number;
  /** Name of the backup that was just written. */
  written: string;
  installation: string;
}

/**
 * The scheduled backups of an installation beyond the newest `keep`. Other files are never among them. A name later than that
 * of the backup that was just written is of a time when the clock was ahead: such files are deleted first.
 */
export function outdated(names: readonly string[], { keep, written, installation }: Kept): string[] {
  const sorted = ownNames(names, scheduledName, installation).toSorted().toReversed();
  const [past, later] = [sorted.filter((name) => name <= written), sorted.filter((name) => name > written)];
  return [...past, ...later].slice(keep);
}
