import { type RawBuilder, sql } from 'kysely';

/**
 * When a schedule of the risk report is due after a moment, as SQL over its column `every` ('week' or 'month'): on Monday
 * or on the first day of a month, at 06:00 UTC in any time zone of the session.
 */
export const nextReportAfter = (moment: RawBuilder<Date>): RawBuilder<Date> => sql<Date>`(
  case every
    when 'week' then date_trunc('week', ${sixHoursBefore(moment)}) + interval '7 days'
    else date_trunc('month', ${sixHoursBefore(moment)}) + interval '1 month'
  end + interval '6 hours') at time zone 'UTC'`;

/** Of a day on which reports are due, the time before 06:00 belongs to the period that ends then. */
const sixHoursBefore = (moment: RawBuilder<Date>) => sql`(${moment} at time zone 'UTC' - interval '6 hours')`;

/** When a schedule is due next. */
export const nextReportAt = nextReportAfter(sql<Date>`now()`);
