import { mostHistoryDays } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { daysBetween, type Period } from '@riskboard/domain';
import { sql } from 'kysely';
import { invalidField } from '../lib/http/failure.ts';

/** The UTC day of the database's clock, YYYY-MM-DD; independent of the time zones of database and process. */
export async function todayOf(trx: OrganizationTransaction): Promise<string> {
  const { rows } = await sql<{ day: string }>`select (now() at time zone 'UTC')::date as day`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('The database returned no day.');
  return row.day;
}

/** @throws Failure 422 naming the field: days in the future, in the wrong order, or too far from each other */
export function checkPeriod({ from, to }: Period, today: string): void {
  if (to > today) throw invalidField('to', `Choose a day that is not in the future: at most ${today} (UTC).`);
  if (from > to) throw invalidField('from', `Choose a day that is not after ${to}.`);
  if (daysBetween(from, to) > mostHistoryDays)
    throw invalidField('from', `Choose a day that is at most ${mostHistoryDays} days before ${to}.`);
}
