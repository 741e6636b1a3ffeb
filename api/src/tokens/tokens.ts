import { randomBytes } from 'node:crypto';
import type { ApiToken, Call, tokens } from '@riskboard/contract';
import { newId, type OrganizationTransaction, type Schema } from '@riskboard/db';
import { type Selectable, sql } from 'kysely';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { tokenHash, tokenPrefix } from './find-token.ts';

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

/** Creates a token for the caller. Only its hash is stored; the reply is the only copy of the secret. */
export async function createToken(
  trx: OrganizationTransaction,
  caller: Caller,
  { name, role, expiresInDays }: Call<typeof tokens.create>['body'],
): Promise<ApiToken & { token: string }> {
  const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`;
  const row = await trx
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
  await recordActivity(trx, caller, {
    action: 'token.created',
    nounId: row.id,
    name,
    detail: { role, expiresAt: row.expires_at.toISOString() },
  });
  return { ...presentToken(row), token };
}

/** The caller's own tokens in this organisation, newest first, including expired ones. */
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
