import type { Database } from '@riskboard/db';
import { Failure } from '../lib/http/failure.ts';
import type { Caller } from '../lib/security/caller.ts';
import { type NewSession, type SignedIn, startSession } from './sessions.ts';

/** The caller whose session is replaced, with the user agent and address of the request. */
export interface Renewing {
  caller: Caller;
  device: Pick<NewSession, 'userAgent' | 'address'>;
}

export interface Renewed {
  /** The new session, for `sendSession`. */
  signedIn: SignedIn;
  /** Ids of the ended sessions and tokens, for `publishSessionsEnded` after the commit. */
  ended: string[];
}

/**
 * Replaces the caller's session, in the transaction that changes what signing in depends on: copies of its cookies end
 * (ASVS 5.0, 7.2.4). The new one keeps the organization and the expiry.
 * @throws Failure session_expired when the session has ended
 */
export async function renewSession(
  database: Pick<Database, 'system'>,
  { caller, device }: Renewing,
): Promise<Renewed> {
  const { accountId, organizationId, sessionId } = caller;
  if (sessionId === null) throw new Failure('session_needed');
  const signedIn = await startSession(database, {
    accountId,
    organizationId,
    ...device,
    continues: sessionId,
  });
  return { signedIn, ended: [sessionId] };
}
