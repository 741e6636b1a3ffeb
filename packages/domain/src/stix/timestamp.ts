import type { Warn } from './warning.ts';

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?\d\d)?$/;

interface StixTime {
  /** '2024-05-01T23:30:00', in UTC. */
  utc: string;
  /** The same in the written time zone. */
  written: string;
  /** '.000', or to the microsecond that PostgreSQL keeps. */
  fraction: string;
  /** 'Z' or '-08:00'. */
  zone: string;
}

/** Null when the text is not a time, or not in the years 1 to 9999, as it is written and in UTC. */
function readTime(text: string): StixTime | null {
  const match = pattern.exec(text.trim());
  if (match === null) return null;
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = ''] = match;
  const zone =
    match[8] === undefined || match[8] === 'Z' ? 'Z' : match[8].replace(/(\d\d):?(\d\d)$/, '$1:$2');
  const date = `${year}-${month}-${day}`;
  if (year === '0000' || !isDay(Number(year), Number(month), Number(day))) return null;
  const written = `${date}T${hour}:${minute}:${second === '60' ? '59' : second}`;
  // Most times are like this; Date would take most of the time.
  const isPlain = zone === 'Z' && hour < '24' && minute < '60' && second < '60';
  const utc = isPlain ? written : toUtc(`${written}${zone}`, second === '60' ? 1000 : 0);
  if (utc === null) return null;
  const micros = fraction.slice(0, 6).padEnd(6, '0');
  return { utc, written, fraction: `.${micros.endsWith('000') ? micros.slice(0, 3) : micros}`, zone };
}

/** @param added milliseconds. Null when the text is not a time, or not in the years 1 to 9999 of UTC. */
function toUtc(text: string, added: number): string | null {
  const whole = Date.parse(text);
  if (Number.isNaN(whole)) return null;
  const utc = new Date(whole + added);
  const year = utc.getUTCFullYear();
  return year < 1 || year > 9999 ? null : utc.toISOString().slice(0, 19);
}

/**
 * A STIX time as ISO 8601 UTC, to the microsecond that PostgreSQL keeps; null when invalid or outside the
 * years 1 to 9999. A time without a zone (legal in 1.x, xs:dateTime) is read as UTC.
 */
export function readTimestamp(text: string): string | null {
  const time = readTime(text);
  if (time === null) return null;
  return `${time.utc}${time.fraction}Z`;
}

/**
 * A STIX time as ISO 8601 in the time zone that the report uses, so that its first ten characters are the day that the
 * report states. Null as in `readTimestamp`. A leap second is the second before it.
 */
export function readWrittenTimestamp(text: string): string | null {
  const time = readTime(text);
  return time && `${time.written}${time.fraction}${time.zone}`;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the date exists: Date.parse rolls 30 February over to March. Years are those of the Gregorian calendar. */
function isDay(year: number, month: number, day: number): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** The result of `readTimestamp`, or `absent`; a text that cannot be read adds a warning. */
export function timestampOr<T>(text: string | undefined, absent: T, warn: Warn): string | T {
  if (text === undefined) return absent;
  const time = readTimestamp(text);
  if (time === null) warn('time-unusable');
  return time ?? absent;
}

/** The result of `readWrittenTimestamp`, or undefined; a text that cannot be read adds a warning. */
export function writtenTimestamp(text: string | undefined, warn: Warn): string | undefined {
  if (text === undefined) return undefined;
  const time = readWrittenTimestamp(text);
  if (time === null) warn('time-unusable');
  return time ?? undefined;
}
