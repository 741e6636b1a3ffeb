import { type Schema, skipLocked } from '@riskboard/db';
import { type Kysely, sql } from 'kysely';
import type { WaitingMail } from './write-letter.ts';

/** Longer than a mail may take to be sent: whoever holds one beyond this is dead. */
export const leaseMs = 120_000;
export const mostTries = 10;

/**
 * Takes the mail that has been due longest, for `leaseMs`: nobody else sees it until then, and no transaction stays open
 * while a mail server takes its time. A sender that dies leaves it to the next. By the database's clock.
 */
export async function takeMail(system: Kysely<Schema>): Promise<WaitingMail | undefined> {
  const { rows } = await sql<WaitingMail>`
    update outgoing_mail
    set run_at = now() + make_interval(secs => ${leaseMs / 1000}), tries = tries + 1
    where id = (
      select id from outgoing_mail where run_at <= now()
      order by run_at, id limit 1 ${skipLocked})
    returning id, kind, email::text, organization_id as "organizationId", subject_id as "subjectId", detail,
      created_at as "createdAt", tries`.execute(system);
  return rows[0];
}

/** Who took it: a sender that was late finds the mail in other hands and leaves it alone. */
export type Taken = Pick<WaitingMail, 'id' | 'tries'>;

/** It is sent, given up, or speaks of what is gone. */
export async function dropMail(system: Kysely<Schema>, { id, tries }: Taken): Promise<void> {
  await system.deleteFrom('outgoing_mail').where('id', '=', id).where('tries', '=', tries).execute();
}

/** Seconds to wait after so many tries: 10, doubling, so that the tenth try comes 85 minutes after the first. */
export const pauseAfter = (tries: number): number => 10 * 2 ** (tries - 1);

export async function postponeMail(system: Kysely<Schema>, { id, tries }: Taken): Promise<void> {
  await system
    .updateTable('outgoing_mail')
    .set({ run_at: sql<Date>`now() + make_interval(secs => ${pauseAfter(tries)})` })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .execute();
}
