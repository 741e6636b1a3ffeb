import { sql } from 'kysely';

/**
 * When a job or a mail is due that need not wait: at every time, also one before its request, which comes again when the clock
 * of the database is set back.
 */
export const dueAtOnce = sql<Date>`'-infinity'::timestamptz`;
