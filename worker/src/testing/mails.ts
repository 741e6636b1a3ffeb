import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { type Database, newId, type OutgoingMailTable, type Schema, withOrganization } from '@riskboard/db';
import { type InsertObject, sql } from 'kysely';
import { pino } from 'pino';

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
export const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

/** Makes a person. @returns their id */
export async function makeAccount(
  { system }: Database,
  person: Partial<InsertObject<Schema, 'account'>> = {},
): Promise<string> {
  const id = newId();
  await system
    .insertInto('account')
    .values({ id, email: `${id}@example.org`, first_name: 'Ada', password_hash: '-', ...person })
    .execute();
  return id;
}

export interface Inviting {
  organizationId: string;
  email?: string;
  invitedBy?: string;
  /** From now; negative for one that ran out. */
  hours?: number;
}

/** Makes an invitation whose mail has not been written. @returns its id */
export async function makeInvitation(
  database: Database,
  { organizationId, email = 'guest@example.org', invitedBy, hours = 168 }: Inviting,
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

export interface AskedMail extends Partial<InsertObject<Schema, 'outgoing_mail'>> {
  kind: OutgoingMailTable['kind'];
  email: string;
}

/** Asks for a mail as the api does. @returns its id */
export async function askMail({ system }: Database, mail: AskedMail): Promise<string> {
  const id = newId();
  await system
    .insertInto('outgoing_mail')
    .values({ id, ...mail })
    .execute();
  return id;
}

/** A log that is kept. */
export function keepLog() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: pino({ level: 'trace' }, stream), text: () => lines.join('') };
}
