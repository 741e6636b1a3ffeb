import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { type Database, newId, type OutgoingMailTable, type Schema, withOrganization } from '@riskboard/db';
import { type InsertObject, sql } from 'kysely';
import { pino } from 'pino';

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
export const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

/** Creates an account. @returns its id */
export async function makeAccount(
  { system }: Database,
  values: Partial<InsertObject<Schema, 'account'>> = {},
): Promise<string> {
  const id = newId();
  await system
    .insertInto('account')
    .values({ id, email: `${id}@example.org`, first_name: 'Ada', password_hash: '-', ...values })
    .execute();
  return id;
}

export interface NewInvitation {
  organizationId: string;
  email?: string;
  invitedBy?: string;
  /** Until it expires; negative for an expired one. */
  hours?: number;
}

/** Creates an invitation whose mail has not been sent. @returns its id */
export async function makeInvitation(
  database: Database,
  { organizationId, email = 'guest@example.org', invitedBy, hours = 168 }: NewInvitation,
): Promise<string> {
  const id = newId();
  const hash = sha256(id);
  await withOrganization(database, organizationId, (trx) =>
    sql`
    insert into invitation (organization_id, id, email, role, link_hash, invited_by, expires_at)
    values (${organizationId}, ${id}, ${email}, 'analyst', ${hash}, ${invitedBy ?? null},
      now() + make_interval(hours => ${hours}))`.execute(trx),
  );
  return id;
}

export interface RequestedMail extends Partial<InsertObject<Schema, 'outgoing_mail'>> {
  kind: OutgoingMailTable['kind'];
  email: string;
}

/** Requests a mail as the api does. @returns its id */
export async function requestMail({ system }: Database, mail: RequestedMail): Promise<string> {
  const id = newId();
  await system
    .insertInto('outgoing_mail')
    .values({ id, ...mail })
    .execute();
  return id;
}

/** A logger that keeps its lines in memory. */
export function captureLog() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { logger: pino({ level: 'trace' }, stream), text: () => lines.join('') };
}
