import { type OutgoingMailTable, type Schema, skipLocked } from '@riskboard/db';
import { type Kysely, sql } from 'kysely';

/** A requested mail that is not sent yet. */
export interface OutgoingMail {
  id: string;
  kind: OutgoingMailTable['kind'];
  email: string;
  organizationId: string | null;
  subjectId: string | null;
  detail: string;
  createdAt: Date;
  /** Attempts to send it, including the current one. */
  tries: number;
}

/** Longer than sending one mail may take: a sender that still holds a mail after this has died. */
export const leaseMs = 120_000;
export const maxTries = 10;

/**
 * Leases the mail that has been due longest for `leaseMs`, so that other senders skip it while no transaction stays open
 * during the delivery. After the lease the mail is due again. Uses the database's clock.
 */
export async function leaseMail(system: Kysely<Schema>): Promise<OutgoingMail | undefined> {
  const { rows } = await sql<OutgoingMail>`
    update outgoing_mail
    set run_at = now() + make_interval(secs => ${leaseMs / 1000}), tries = tries + 1
    where id = (
      select id from outgoing_mail where run_at <= now()
      order by run_at, id limit 1 ${skipLocked})
    returning id, kind, email::text, organization_id as "organizationId", subject_id as "subjectId", detail,
      created_at as "createdAt", tries`.execute(system);
  return rows[0];
}

/** Identifies one lease: a sender whose lease has expired finds other `tries` in the row and changes nothing. */
export type Lease = Pick<OutgoingMail, 'id' | 'tries'>;

/** For a mail that was sent, abandoned or is obsolete. */
export async function deleteMail(system: Kysely<Schema>, { id, tries }: Lease): Promise<void> {
  await system.deleteFrom('outgoing_mail').where('id', '=', id).where('tries', '=', tries).execute();
}

/** Seconds until the next try: 10, doubled after each try; the tenth try comes 85 minutes after the first. */
export const pauseAfter = (tries: number): number => 10 * 2 ** (tries - 1);

export async function postponeMail(system: Kysely<Schema>, { id, tries }: Lease): Promise<void> {
  await system
    .updateTable('outgoing_mail')
    .set({ run_at: sql<Date>`now() + make_interval(secs => ${pauseAfter(tries)})` })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .execute();
}

/** For a mail whose delivery the worker aborted when it closed: it is due at once, and this try does not count. */
export async function returnMail(system: Kysely<Schema>, { id, tries }: Lease): Promise<void> {
  await system
    .updateTable('outgoing_mail')
    .set({ run_at: sql<Date>`now()`, tries: tries - 1 })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .execute();
}
