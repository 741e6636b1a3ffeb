import type { User } from '@riskboard/contract';
import { type Database, lockAccount } from '@riskboard/db';
import { activityRow } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { type NewSession, type SignedIn, startSession } from '../sessions/sessions.ts';
import { consumeInvitation } from './consume-invitation.ts';

/** A signed-in person with the link of an invitation. */
export interface Joining {
  caller: Caller;
  user: User;
  token: string;
  device: Pick<NewSession, 'userAgent' | 'address'>;
}

/**
 * Makes a signed-in person a member by an invitation to their own address. A session in the new organization replaces
 * the current one.
 * @throws Failure 404 when the invitation is invalid or for another address
 */
export function acceptInvitation(
  database: Database,
  { caller, user, token, device }: Joining,
): Promise<SignedIn> {
  const { accountId } = caller;
  return database.system.transaction().execute(async (system) => {
    await lockAccount(system, accountId);
    const { organizationId } = await consumeInvitation(system, { token, accountId, email: user.email });
    const signedIn = await startSession(
      { system },
      {
        accountId,
        organizationId,
        ...device,
        ...(caller.sessionId === null ? {} : { continues: caller.sessionId }),
      },
    );
    const joined = {
      action: 'member.joined' as const,
      nounId: accountId,
      name: caller.actor,
      detail: { role: signedIn.user.role },
    };
    await system
      .insertInto('activity')
      .values(activityRow({ ...caller, organizationId }, joined))
      .execute();
    return signedIn;
  });
}
