import type { Database } from '@riskboard/db';
import { sql } from 'kysely';
import type { Caller } from '../lib/security/caller.ts';
import { sessionIsLive } from '../sessions/sessions.ts';
import { tokenIsLive } from '../tokens/find-token.ts';

/** The id of the caller's session or API token. */
export const credentialOf = ({ sessionId, tokenId }: Pick<Caller, 'sessionId' | 'tokenId'>): string => {
  const credential = sessionId ?? tokenId;
  if (credential === null) throw new Error('The caller has neither a session nor a token.');
  return credential;
};

/**
 * Which of these sessions and tokens still give access to the organization: not ended, revoked, idle or expired, of a
 * member, with a second factor where the organization requires one.
 */
export async function liveCredentials(
  database: Database,
  credentials: ReadonlySet<string>,
): Promise<Set<string>> {
  const ids = sql`${[...credentials]}::uuid[]`;
  const { rows } = await sql<{ id: string }>`
    select credential.id
    from (
      select s.id, s.organization_id, s.account_id from session s where s.id = any(${ids}) and ${sessionIsLive}
      union all
      select t.id, t.organization_id, t.account_id from api_token t where t.id = any(${ids}) and ${tokenIsLive}
    ) credential
    join membership m using (organization_id, account_id)
    join account a on a.id = m.account_id
    join organization o using (organization_id)
    where not (o.require_second_factor and a.totp_enabled_at is null)`.execute(database.system);
  return new Set(rows.map(({ id }) => id));
}
