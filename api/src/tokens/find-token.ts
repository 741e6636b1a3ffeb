import { createHash } from 'node:crypto';
import { type Role, roles } from '@riskboard/contract';
import type { Database } from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import { type FoundMember, memberColumns, type MemberRow, presentUser } from '../sessions/sessions.ts';

/** Start of every API token (contract, Accounts). */
export const tokenPrefix = 'rb_';

/** 32 random bytes need no slow hash. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Condition on api_token t; revoked tokens are deleted. */
export const tokenIsLive = sql`t.expires_at > now()`;

const lowerRole = (a: Role, b: Role): Role => (roles.indexOf(a) < roles.indexOf(b) ? a : b);

type FoundToken = FoundMember & { tokenId: string };

/** The person of a live token, with the lower role of both; undefined when it is unknown, expired or revoked. */
export const findToken = async (database: Database, token: string): Promise<FoundToken | undefined> =>
  token.startsWith(tokenPrefix)
    ? findLiveToken(database, sql`t.token_hash = ${tokenHash(token)}`)
    : undefined;

/** The same by the id of a token. */
export const findTokenById = (database: Database, id: string): Promise<FoundToken | undefined> =>
  findLiveToken(database, sql`t.id = ${id}`);

async function findLiveToken(
  database: Database,
  isToken: RawBuilder<unknown>,
): Promise<FoundToken | undefined> {
  const { rows } = await sql<MemberRow & { id: string; token_role: Role; stale: boolean }>`
    select ${memberColumns}, t.id, t.role as token_role,
      coalesce(t.last_used_at < now() - interval '1 minute', true) as stale
    from api_token t
    join membership m using (organization_id, account_id)
    join account a on a.id = t.account_id
    join organization o using (organization_id)
    where ${isToken} and ${tokenIsLive}`.execute(database.system);
  const row = rows[0];
  if (!row) return undefined;
  const user = { ...presentUser(row), role: lowerRole(row.role, row.token_role) };
  return { user, deleting: row.deleting, stale: row.stale, tokenId: row.id };
}

/** Records the use of a token, at most once a minute. */
export async function touchToken(database: Database, tokenId: string): Promise<void> {
  await sql`
    update api_token set last_used_at = now()
    where id = ${tokenId} and coalesce(last_used_at < now() - interval '1 minute', true)`.execute(
    database.system,
  );
}
