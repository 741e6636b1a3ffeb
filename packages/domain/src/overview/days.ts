const dayMs = 24 * 60 * 60 * 1000;

/** The calendar day that is `days` later; earlier when negative. Days are YYYY-MM-DD. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** Days from one calendar day to another; negative when the other is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

/** The Monday of the week of a calendar day. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

/** An open vulnerability is new until this many UTC days after the day of its creation (contract, new). */
export const newDays = 30;

/** The earliest day of creation that counts as new at the end of a day. */
export const firstNewDay = (day: string): string => addDays(day, -newDays);
