import { formatCount } from '@riskboard/domain';
import { randomBytes } from 'node:crypto';
import { type ApiToken, type Call, type tokens, tokensPerPerson } from '@riskboard/contract';
import { type Database, newId, type OrganizationTransaction, type Schema } from '@riskboard/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { activityRow, recordActivity } from '../lib/activity/record-activity.ts';
import { Failure } from '../lib/http/failure.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import type { Caller } from '../lib/security/caller.ts';
import { confirmPassword, lockConfirmed } from '../passwords/confirm-password.ts';
import { tokenHash, tokenIsLive, tokenPrefix } from './find-token.ts';

/** Trailing characters that a list shows: enough to distinguish tokens, too few to help guessing. */
const hintLength = 4;

/** Columns to present; never the hash. `expired` uses the database's clock, which also decides at use. */
const tokenColumns = [
  'id',
  'name',
  'role',
  'hint',
  'created_at',
  'expires_at',
  'last_used_at',
  sql<boolean>`expires_at <= now()`.as('expired'),
] as const;

type TokenRow = Pick<
  Selectable<Schema['api_token']>,
  'id' | 'name' | 'role' | 'hint' | 'created_at' | 'expires_at' | 'last_used_at'
> & { expired: boolean };

const presentToken = (row: TokenRow): ApiToken => ({
  _id: row.id,
  name: row.name,
  role: row.role,
  hint: row.hint,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expired: row.expired,
});

/**
 * Creates a token for the caller, who is notified by mail. Only its hash is stored; the reply is the only copy of the
 * secret.
 * @throws Failure 403 wrong_password; 409 when the person has too many tokens; 429
 */
export async function createToken(
  database: Database,
  caller: Caller,
  body: Call<typeof tokens.create>['body'],
): Promise<ApiToken & { token: string }> {
  const confirmed = await confirmPassword(database, caller, body.password);
  return database.system.transaction().execute(async (trx) => {
    // Locked before the tokens are counted, and so that a password change does not miss this token.
    await lockConfirmed(trx, caller, confirmed);
    await requireFreeToken(trx, caller);
    const created = await insertToken(trx, caller, body);
    await requestMail(trx, { kind: 'account-changed', email: confirmed.email, detail: 'token-created' });
    return created;
  });
}

/** @throws Failure 409 when the person has as many live tokens as allowed, in all organizations together */
async function requireFreeToken(system: Kysely<Schema>, { accountId }: Caller): Promise<void> {
  const { live } = await system
    .selectFrom('api_token as t')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('account_id', '=', accountId)
    .where(sql<boolean>`${tokenIsLive}`)
    .executeTakeFirstOrThrow();
  if (live >= tokensPerPerson)
    throw new Failure(
      'conflict',
      `You have ${formatCount(tokensPerPerson)} API tokens. Revoke one that is not in use.`,
    );
}

async function insertToken(
  system: Kysely<Schema>,
  caller: Caller,
  { name, role, expiresInDays }: Call<typeof tokens.create>['body'],
): Promise<ApiToken & { token: string }> {
  const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`;
  const row = await system
    .insertInto('api_token')
    .values({
      organization_id: caller.organizationId,
      id: newId(),
      account_id: caller.accountId,
      name,
      role,
      token_hash: tokenHash(token),
      hint: token.slice(-hintLength),
      expires_at: sql<Date>`now() + make_interval(days => ${expiresInDays})`,
    })
    .returning(tokenColumns)
    .executeTakeFirstOrThrow();
  const entry = activityRow(caller, {
    action: 'token.created',
    nounId: row.id,
    name,
    detail: { role, expiresAt: row.expires_at.toISOString() },
  });
  await system.insertInto('activity').values(entry).execute();
  return { ...presentToken(row), token };
}

/** The caller's own tokens in this organization, newest first, including expired ones. */
export async function listTokens(trx: OrganizationTransaction, caller: Caller): Promise<ApiToken[]> {
  const rows = await trx
    .selectFrom('api_token')
    .select(tokenColumns)
    .where('account_id', '=', caller.accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(presentToken);
}

/** Revokes a token of the caller. @returns false when it does not exist */
export async function revokeToken(
  trx: OrganizationTransaction,
  caller: Caller,
  id: string,
): Promise<boolean> {
  const revoked = await trx
    .deleteFrom('api_token')
    .where('id', '=', id)
    .where('account_id', '=', caller.accountId)
    .returning('name')
    .executeTakeFirst();
  if (!revoked) return false;
  await recordActivity(trx, caller, {
    action: 'token.revoked',
    nounId: id,
    name: revoked.name,
  });
  return true;
}

/** Revokes the tokens of a person in all organizations. @returns their ids, for `publishSessionsEnded` */
export async function revokeTokensOf(system: Kysely<Schema>, accountId: string): Promise<string[]> {
  const revoked = await system
    .deleteFrom('api_token')
    .where('account_id', '=', accountId)
    .returning('id')
    .execute();
  return revoked.map(({ id }) => id);
}
