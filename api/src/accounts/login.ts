import type { accounts, Call } from '@riskboard/contract';
import { type Database, rowLock, type Schema } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import { takeInvitation } from '../organizations/join.ts';
import { passwordMatches } from '../passwords/hash.ts';
import type { Seal } from '../second-factor/seal.ts';
import { takeCode } from '../second-factor/take-code.ts';
import { recordInAll } from './account-activity.ts';
import { type Credentials, findCredentials } from './credentials.ts';
import { type Device, enter, type Entered } from './enter.ts';
import { isWrongGuess, underAttemptLimits } from './login-failures.ts';

type LoginBody = Call<typeof accounts.login>['body'];

/**
 * Signs in with password and, where there is one, second factor. Whatever is wrong before the password was right
 * costs the same hash and the same statements, account or none (ASVS 5.0, 6.3.8).
 * @throws Failure 401 invalid_credentials, or second_factor_needed after a right password; 404 for a spent
 * invitation; 429
 */
export async function logIn(
  { database, seal }: { database: Database; seal: Seal },
  body: LoginBody,
  device: Device,
): Promise<Entered> {
  return underAttemptLimits(database, { email: body.email, address: device.address }, async () => {
    const account = await findCredentials(database, body.email);
    try {
      const matches = await passwordMatches(account?.passwordHash, body.password);
      if (!account || !matches) throw new Failure('invalid_credentials');
      return await database.system
        .transaction()
        .execute((trx) => admit(trx, seal, { account, body, device }));
    } catch (error) {
      if (isWrongGuess(error)) await recordFailure(database, account, device);
      throw error;
    }
  });
}

interface Admission {
  account: Credentials;
  body: LoginBody;
  device: Device;
}

/** What follows a right password, in one transaction: a code is used and an invitation taken only with the session. */
async function admit(
  trx: Transaction<Schema>,
  seal: Seal,
  { account, body, device }: Admission,
): Promise<Entered> {
  await holdUnchanged(trx, account);
  if (account.totpSecret) await takeCode(trx, seal, { account, code: body.code, address: device.address });
  const invitation =
    body.invitation === undefined
      ? undefined
      : await takeInvitation(trx, { token: body.invitation, accountId: account.id, email: account.email });
  return enter(trx, {
    accountId: account.id,
    organizationId: invitation?.organizationId ?? (await lastUsedOrganization(trx, account.id)),
    device,
    action: 'account.signed-in',
    joined: invitation !== undefined,
  });
}

/**
 * Holds the account as it was when its password was checked: one that is being changed at this moment ends every
 * session, and this one must not be born behind its back (ASVS 5.0, 15.4.2).
 */
async function holdUnchanged(trx: Transaction<Schema>, account: Credentials): Promise<void> {
  const held = await sql`
    select id from account
    where id = ${account.id} and password_hash = ${account.passwordHash}
      and totp_secret is not distinct from ${account.totpSecret}
    ${rowLock(trx, { name: 'account', id: account.id, mode: 'no key update' })}`.execute(trx);
  if (held.rows.length === 0) throw new Failure('invalid_credentials');
}

/** The organisation that was used last, else the oldest membership; one that is being deleted only when no other is. */
async function lastUsedOrganization(trx: Kysely<Schema>, accountId: string): Promise<string> {
  const { rows } = await sql<{ organization_id: string }>`
    select m.organization_id from membership m join organization o using (organization_id)
    where m.account_id = ${accountId}
    order by o.deleting_at is not null,
      (select max(s.last_used_at) from session s
        where s.organization_id = m.organization_id and s.account_id = m.account_id) desc nulls last,
      m.created_at
    limit 1`.execute(trx);
  if (!rows[0]) throw new Failure('invalid_credentials');
  return rows[0].organization_id;
}

/** Nobody waits for this entry to be on the disk: an address without an account has none to wait for. */
async function recordFailure(
  database: Database,
  account: Credentials | undefined,
  { address }: Device,
): Promise<void> {
  await database.system.transaction().execute(async (trx) => {
    await sql`set local synchronous_commit = off`.execute(trx);
    await recordInAll(
      trx,
      { accountId: null, actor: '', address, organizationIds: account?.organizationIds ?? [] },
      {
        action: 'account.sign-in-failed',
        noun: 'accounts',
        nounId: account?.id ?? null,
        name: account ? actorOf(account) : '',
      },
    );
  });
}
