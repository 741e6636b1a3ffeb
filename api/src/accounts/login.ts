import type { accounts, Call } from '@riskboard/contract';
import { type Database, rowLock, type Schema } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import { consumeInvitation } from '../organizations/consume-invitation.ts';
import { passwordMatches } from '../passwords/hash.ts';
import type { Seal } from '../second-factor/seal.ts';
import { underCodeLimit } from '../second-factor/code-limit.ts';
import { consumeCode, isGuessable } from '../second-factor/consume-code.ts';
import { recordInOrganizations } from './account-activity.ts';
import { type Credentials, findCredentials } from './credentials.ts';
import { type Device, enterOrganization, type Entered } from './enter-organization.ts';
import { isWrongGuess, underAttemptLimits } from './login-failures.ts';

type LoginBody = Call<typeof accounts.login>['body'];

/**
 * Signs in with password and, if enabled, second factor. A failure before the password is verified runs the same hash
 * and the same statements with and without an account (ASVS 5.0, 6.3.8).
 * @param device with its id, if it had a session of this account before
 * @throws Failure 401 invalid_credentials, or second_factor_needed after a correct password; 404 for an invalid
 * invitation; 429
 */
export async function logIn(
  { database, seal }: { database: Database; seal: Seal },
  body: LoginBody,
  { knownAs, ...device }: Device & { knownAs: string | undefined },
): Promise<Entered> {
  const attempt = { email: body.email, address: device.address, device: knownAs };
  return underAttemptLimits(database, attempt, async () => {
    const account = await findCredentials(database, body.email);
    try {
      const matches = await passwordMatches(account?.passwordHash, body.password);
      if (!account || !matches) throw new Failure('invalid_credentials');
      const enter = () =>
        database.system.transaction().execute((trx) => admit(trx, seal, { account, body, device }));
      if (!account.totpSecret || !isGuessable(body.code)) return await enter();
      return await underCodeLimit(database, { account, address: device.address }, enter);
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

/** Signs in after a correct password, in one transaction: code and invitation are consumed only with the session. */
async function admit(
  trx: Transaction<Schema>,
  seal: Seal,
  { account, body, device }: Admission,
): Promise<Entered> {
  await lockUnchangedAccount(trx, account);
  if (account.totpSecret) await consumeCode(trx, seal, { account, code: body.code, address: device.address });
  const invitation =
    body.invitation === undefined
      ? undefined
      : await consumeInvitation(trx, { token: body.invitation, accountId: account.id, email: account.email });
  return enterOrganization(trx, {
    accountId: account.id,
    organizationId: invitation?.organizationId ?? (await lastUsedOrganization(trx, account.id)),
    device,
    action: 'account.signed-in',
    joined: invitation !== undefined,
  });
}

/**
 * Locks the account and requires that its password and second factor are those that were checked: a concurrent password
 * change ends every session and must not miss this one (ASVS 5.0, 15.4.2).
 */
async function lockUnchangedAccount(trx: Transaction<Schema>, account: Credentials): Promise<void> {
  const locked = await sql`
    select id from account
    where id = ${account.id} and password_hash = ${account.passwordHash}
      and totp_secret is not distinct from ${account.totpSecret}
    ${rowLock(trx, { name: 'account', id: account.id, mode: 'no key update' })}`.execute(trx);
  if (locked.rows.length === 0) throw new Failure('invalid_credentials');
}

/** The last used organization, else the oldest membership; an organization under deletion only if there is no other. */
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

/** Committed asynchronously, to keep response times equal: an address without an account writes no entry. */
async function recordFailure(
  database: Database,
  account: Credentials | undefined,
  { address }: Device,
): Promise<void> {
  await database.system.transaction().execute(async (trx) => {
    await sql`set local synchronous_commit = off`.execute(trx);
    await recordInOrganizations(
      trx,
      { accountId: null, actor: '', address, organizationIds: account?.organizationIds ?? [] },
      {
        action: 'account.sign-in-failed',
        nounId: account?.id ?? null,
        name: account ? actorOf(account) : '',
      },
    );
  });
}
