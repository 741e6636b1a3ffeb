import { type RawBuilder, sql } from 'kysely';

/**
 * When a schedule of the risk report is due next, as SQL over its column `every` ('week' or 'month'): on Monday or on the
 * first day of a month, at 06:00 UTC in any time zone of the session.
 */
export const nextReportAt: RawBuilder<Date> = sql<Date>`(
  case every
    when 'week' then date_trunc('week', now() at time zone 'UTC') + interval '7 days'
    else date_trunc('month', now() at time zone 'UTC') + interval '1 month'
  end + interval '6 hours') at time zone 'UTC'`;
