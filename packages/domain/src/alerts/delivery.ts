/** Least seconds after each failed attempt until the next one: eight attempts in 26 hours. */
const delays = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 8 * 3600, 10 * 3600] as const;

/** @param tries attempts so far, at least 1 @returns seconds until the next one; undefined after the last */
export const nextAttemptAfter = (tries: number): number | undefined => delays[tries - 1];

/** A webhook without a successful delivery for this many days is disabled. */
export const disabledAfterDays = 5;

/** Whether the status of a reply confirms a delivery. */
export const isDelivered = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;

/** 410 Gone: the receiver wants no further messages. */
export const unsubscribedStatus = 410;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** UTC hour at which daily digests are due. */
const dailyHour = 6;

/** When an email about an alert is due: immediately, at the next full hour, or at the next 06:00 UTC. */
export function mailDueAt(digest: 'immediately' | 'hourly' | 'daily', now: Date): Date {
  const time = now.getTime();
  if (digest === 'immediately') return now;
  if (digest === 'hourly') return new Date((Math.floor(time / hourMs) + 1) * hourMs);
  return new Date((Math.floor((time - dailyHour * hourMs) / dayMs) + 1) * dayMs + dailyHour * hourMs);
}
