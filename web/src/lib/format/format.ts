import { lazily } from '@riskboard/domain';
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
const full = lazily(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' }));
const relative = lazily(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }));

/** 'Nov 21, 2026', in the reader's time zone (spec 9: dates are shown in en-US format). */
export const formatDate = (iso: string) => day().format(new Date(iso));

/** 'Nov 21, 2026, 09:05 AM': file dates carry a short month and the time (spec 9). */
export const formatFileDate = (iso: string) => file().format(new Date(iso));

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

const list = lazily(() => new Intl.ListFormat('en-US', { type: 'conjunction' }));

/** 'CVE, CWE, and CVSS'. */
export const formatList = (texts: readonly string[]) => list().format(texts);

const decimal = lazily(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 }));

/** '12,345.5': a number that is a count or a measure, such as the limit of a filter. */
export const formatNumber = (value: number) => decimal().format(value);

/** Largest first; each holds until the next larger one is reached. Seconds. */
const spans = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/**
 * 'just now', '5 minutes ago', 'in 2 hours', 'yesterday'. A time to come is rounded: 'in 7 days' right after a start of 7 days.
 * @param now milliseconds since the epoch
 */
export function formatRelative(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const span = spans.find(([, length]) => Math.abs(seconds) >= length);
  if (span === undefined) return 'just now';
  const count = seconds / span[1];
  return relative().format(count > 0 ? Math.round(count) : Math.ceil(count), span[0]);
}

/** '0:07', '12:45', '1:02:03' from milliseconds; negative counts as zero. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours === 0) return `${minutes}:${pad(seconds % 60)}`;
  return `${hours}:${pad(minutes)}:${pad(seconds % 60)}`;
}
