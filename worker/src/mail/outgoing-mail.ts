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

/** A sender that has not renewed its lease for this long has died. */
export const leaseMs = 120_000;
export const maxTries = 10;

/** A mail is sent when none of a lower rank is due: someone waits for the mails about accounts. */
const ranks: Readonly<Record<OutgoingMail['kind'], number>> = {
  'password-reset': 0,
  'email-change': 0,
  'account-changed': 0,
  invitation: 0,
  alerts: 1,
  'risk-report': 2,
};
const rankedKinds = Object.keys(ranks) as OutgoingMail['kind'][];

/**
 * Leases due mails for one sender. Within a rank the organizations are served in rotation, and the recipients of mails
 * without an organization with them: one that requests thousands of mails delays each other one by a single mail.
 */
export function createMailLeases(system: Kysely<Schema>): () => Promise<OutgoingMail | undefined> {
  /** By rank, whose mail was leased last: its organization or, without one, its recipient. */
  const lastServed = new Map<number, string>();
  return async () => {
    const mail = await leaseMail(system, lastServed);
    if (mail) lastServed.set(ranks[mail.kind], mail.organizationId ?? mail.email);
    return mail;
  };
}

/**
 * Leases a mail for `leaseMs`, so that other senders skip it while no transaction stays open during the delivery, which
 * renews the lease. After the lease the mail is due again. Uses the database's clock.
 */
async function leaseMail(
  system: Kysely<Schema>,
  lastServed: ReadonlyMap<number, string>,
): Promise<OutgoingMail | undefined> {
  const requester = sql`(coalesce(organization_id::text, email::text) collate "C")`;
  const { rows } = await sql<OutgoingMail>`
    update outgoing_mail
    set run_at = now() + make_interval(secs => ${leaseMs / 1000}), tries = tries + 1
    where id = (
      select id from outgoing_mail
      join unnest(
        ${rankedKinds}::text[],
        ${rankedKinds.map((kind) => ranks[kind])}::integer[],
        ${rankedKinds.map((kind) => lastServed.get(ranks[kind]) ?? '')}::text[]
      ) as rotation (kind, rank, last_served) using (kind)
      where run_at <= now()
      order by rank, ${requester} <= last_served, ${requester}, run_at, id limit 1 ${skipLocked})
    returning id, kind, email::text, organization_id as "organizationId", subject_id as "subjectId", detail,
      created_at as "createdAt", tries`.execute(system);
  return rows[0];
}

/** Identifies one lease: a sender whose lease has expired finds other `tries` in the row and changes nothing. */
export type Lease = Pick<OutgoingMail, 'id' | 'tries'>;

/** Extends the lease of a mail that is being sent to `leaseMs` from now. */
export async function renewLease(system: Kysely<Schema>, { id, tries }: Lease): Promise<void> {
  await system
    .updateTable('outgoing_mail')
    .set({ run_at: sql<Date>`now() + make_interval(secs => ${leaseMs / 1000})` })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .execute();
}

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
