import type { Warn } from './warning.ts';

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * A STIX time as ISO 8601 UTC, to the microsecond that PostgreSQL keeps; null when invalid or outside the
 * years 1 to 9999. A time without a zone (legal in 1.x, xs:dateTime) is read as UTC.
 */
export function readTimestamp(text: string): string | null {
  const match = pattern.exec(text.trim());
  if (match === null) return null;
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = ''] = match;
  const zone =
    match[8] === undefined || match[8] === 'Z' ? 'Z' : match[8].replace(/(\d\d):?(\d\d)$/, '$1:$2');
  const date = `${year}-${month}-${day}`;
  if (!isDay(date)) return null;
  const whole = Date.parse(`${date}T${hour}:${minute}:${second === '60' ? '59' : second}${zone}`);
  if (Number.isNaN(whole)) return null;
  const utc = new Date(whole + (second === '60' ? 1000 : 0));
  const utcYear = utc.getUTCFullYear();
  if (utcYear < 1 || utcYear > 9999) return null;
  const micros = fraction.slice(0, 6).padEnd(6, '0');
  return `${utc.toISOString().slice(0, 19)}.${micros.endsWith('000') ? micros.slice(0, 3) : micros}Z`;
}

/** Whether the date exists: Date.parse rolls 30 February over to March. */
function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** The result of `readTimestamp`, or `absent`; a text that cannot be read adds a warning. */
export function timestampOr<T>(text: string | undefined, absent: T, warn: Warn): string | T {
  if (text === undefined) return absent;
  const time = readTimestamp(text);
  if (time === null) warn('time-unusable');
  return time ?? absent;
}
