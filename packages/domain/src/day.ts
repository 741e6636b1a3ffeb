import { lazily } from './lazily.ts';

const medium = lazily(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }));

/** 'May 1, 2024' of '2024-05-01', and of a timestamp the day that is written in it; other texts as they are. */
export function formatDay(day: string): string {
  const moment = Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(moment) ? day : medium().format(moment);
}
