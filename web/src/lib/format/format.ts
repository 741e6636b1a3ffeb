import { daysBetween, lazily } from '@riskboard/domain';
import { dayAt } from './day.ts';

const units = ['Bytes', 'KB', 'MB', 'GB'] as const;

/** Size in bytes as people read it: factor 1024, at most two decimals (spec 9, Graphs and display). */
export function formatSize(bytes: number): string {
  if (bytes < 1) return '0 Bytes';
  const amountIn = (step: number) => Number((bytes / 1024 ** step).toFixed(2));
  // By the rounded amount: 1,048,575 bytes are 1 MB, not 1024 KB.
  const step = units.findIndex((_, index) => amountIn(index) < 1024 || index === units.length - 1);
  return `${amountIn(step)} ${units[step]}`;
}

const day = lazily(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }));
const file = lazily(
  () =>
    new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    }),
);
const utc = lazily(
  () =>
    new Intl.DateTimeFormat('en-US', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'UTC',
    }),
);
const full = lazily(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' }));
/** '1 week ago'. */
const counted = lazily(() => new Intl.RelativeTimeFormat('en-US'));
/** 'yesterday'. */
const named = lazily(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }));

/** 'Nov 21, 2026', in the reader's time zone (spec 9: dates are shown in en-US format). */
export const formatDate = (iso: string) => day().format(new Date(iso));

/** 'Nov 21, 2026, 09:05 AM': file dates carry a short month and the time (spec 9). */
export const formatFileDate = (iso: string) => file().format(new Date(iso));

/** 'Nov 21, 2026, 9:05 AM UTC', the same in every time zone. */
export const formatUtc = (iso: string) => `${utc().format(new Date(iso))} UTC`;

/** 'Saturday, November 21, 2026 at 9:05:00 AM UTC': for the hover of a relative time. */
export const formatFullDate = (iso: string) => full().format(new Date(iso));

const score = lazily(
  () =>
    new Intl.NumberFormat('en-US', {
      minimumFractionDigits: 1,
      maximumFractionDigits: 2,
      roundingMode: 'trunc',
      useGrouping: false,
    }),
);

/**
 * A score that is shown next to the label of its band: '7.0', '8.99'. Cut and never rounded, so that the number belongs
 * to the band of the label (spec 9: 7 to 8.99 is High), for any number of digits in a report. As text, a number is the
 * decimal as written, and not the binary fraction below it.
 */
export const formatScore = (value: number) => score().format(`${value}`);

/** A derived score or a mean, rounded: '7.3'. */
export const formatMean = (value: number) => value.toFixed(1);

const hundredths = lazily(
  () =>
    new Intl.NumberFormat('en-US', {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      useGrouping: false,
    }),
);

/** A risk exposure, rounded half up: '6.13'. As text, 0.045 is the half that it is written as, which is 0.05. */
export const formatExposure = (value: number) => hundredths().format(`${value}`);

/** A number rounded as `formatExposure` shows it. */
export const roundToHundredths = (value: number): number => Number(formatExposure(value));

const list = lazily(() => new Intl.ListFormat('en-US', { type: 'conjunction' }));

/** 'CVE, CWE, and CVSS'. */
export const formatList = (texts: readonly string[]) => list().format(texts);

const decimal = lazily(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 }));

/** '12,345.5': a number that is a count or a measure, such as the limit of a filter. */
export const formatNumber = (value: number) => decimal().format(value);

/** The past is cut; a time to come is rounded: 'in 1 hour' right after a start of one hour. */
const whole = (count: number): number => (count > 0 ? Math.round(count) : Math.ceil(count));

/**
 * 'just now', '5 minutes ago', 'in 2 hours'; from 24 hours on by the days of the reader's calendar: 'yesterday',
 * 'in 7 days', '2 weeks ago'.
 * @param now milliseconds since the epoch
 */
export function formatRelative(iso: string, now: number): string {
  const time = Date.parse(iso);
  const seconds = (time - now) / 1000;
  if (Math.abs(seconds) < 60) return 'just now';
  const minutes = whole(seconds / 60);
  if (Math.abs(minutes) < 60) return counted().format(minutes, 'minute');
  const hours = whole(seconds / 3600);
  if (Math.abs(hours) < 24) return counted().format(hours, 'hour');
  const days = daysBetween(dayAt(now), dayAt(time));
  if (Math.abs(days) <= 7) return named().format(days, 'day');
  // Lengths, not weeks, months and years of the calendar: 'last month' could be wrong.
  const weeks = whole(days / 7);
  if (Math.abs(weeks) < 5) return counted().format(weeks, 'week');
  const months = whole(days / 30.4);
  if (Math.abs(months) < 12) return counted().format(months, 'month');
  return counted().format(whole(days / 365), 'year');
}
