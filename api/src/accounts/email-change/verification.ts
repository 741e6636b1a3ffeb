import { type Database, rowLock, type Schema } from '@riskboard/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { Failure } from '../../lib/http/failure.ts';
import { countMail } from '../../lib/mail/mail-limit.ts';
import { requestMail } from '../../lib/mail/request-mail.ts';
import type { Caller } from '../../lib/security/caller.ts';
import { limitMails } from './request-email-change.ts';

interface Address {
  accountId: string;
  email: string;
}

/** A confirmation of the current address is a change of the address to itself; it replaces a pending change. */
async function requestLink(trx: Transaction<Schema>, { accountId, email }: Address): Promise<void> {
  const expires_at = sql<Date>`now() + interval '24 hours'`;
  await trx
    .insertInto('email_change')
    .values({ account_id: accountId, email, expires_at })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ email, token_hash: null, created_at: sql<Date>`now()`, expires_at }),
    )
    .execute();
  await requestMail(trx, { kind: 'email-change', email, subjectId: accountId });
}

/** Mails the link that confirms the address of a new account, unless the address has had too many mails. */
export async function requestFirstLink(trx: Transaction<Schema>, address: Address): Promise<void> {
  if (await countMail(trx, `email to ${address.email.toLowerCase()}`)) await requestLink(trx, address);
}

/**
 * Mails a new link that confirms the caller's current address.
 * @throws Failure 409 when the address is confirmed already, 429
 */
export async function resendLink(database: Database, { accountId }: Caller): Promise<void> {
  await database.system.transaction().execute(async (trx) => {
    const account = await trx
      .selectFrom('account')
      .select(['email', 'email_verified_at'])
      .where('id', '=', accountId)
      .modifyEnd(rowLock(trx, { name: 'account', id: accountId, mode: 'no key update' }))
      .executeTakeFirst();
    if (!account) throw new Failure('session_expired');
    if (account.email_verified_at) throw new Failure('conflict', 'Your email address is already confirmed.');
    await limitMails(trx, { accountId, email: account.email });
    await requestLink(trx, { accountId, email: account.email });
  });
}

/** The address of an account, and whether a mailed link has confirmed it. */
export async function readAddress(
  system: Kysely<Schema>,
  accountId: string,
): Promise<{ email: string; verified: boolean }> {
  const account = await system
    .selectFrom('account')
    .select(['email', 'email_verified_at'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) throw new Failure('session_expired');
  return { email: account.email, verified: account.email_verified_at !== null };
}

/** Records that a mailed link proved the address; its first time is kept. */
export async function markVerified(system: Kysely<Schema>, accountId: string): Promise<void> {
  await system
    .updateTable('account')
    .set({ email_verified_at: sql<Date>`now()` })
    .where('id', '=', accountId)
    .where('email_verified_at', 'is', null)
    .execute();
}
