import type { Member } from '@riskboard/contract';
import { type Database, rowLock, withOrganization } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { activityRow } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { findMember } from './members.ts';
import { actAsOwner } from './ownership.ts';

/**
 * Removes the second factor of a member who lost it. Refused for a member of further organizations, whose protection the
 * owner does not decide. The member's sessions end and they are notified by mail.
 * @returns the member and the ids of the ended sessions
 * @throws Failure 404; 409 for the caller, for a member without a second factor, or of another organization too
 */
export async function resetSecondFactor(
  database: Database,
  caller: Caller,
  accountId: string,
): Promise<{ member: Member; endedSessions: string[] }> {
  const member = await withOrganization(database, caller.organizationId, async (trx) => {
    await actAsOwner(trx, caller);
    return findMember(trx, caller, accountId);
  });
  if (member.self)
    throw new Failure('conflict', 'Turn off your own second factor in your security settings.');
  const endedSessions = await database.system.transaction().execute(async (system) => {
    // Locked so that the person cannot join another organization or enable a second factor meanwhile.
    const account = await system
      .selectFrom('account')
      .select(['email', 'totp_enabled_at'])
      .where('id', '=', accountId)
      .modifyEnd(rowLock(system, { name: 'account', id: accountId, mode: 'update' }))
      .executeTakeFirstOrThrow(() => new Failure('not_found'));
    const memberships = await system
      .selectFrom('membership')
      .select('organization_id')
      .where('account_id', '=', accountId)
      .execute();
    const belongsHere = memberships.some((one) => one.organization_id === caller.organizationId);
    if (!belongsHere) throw new Failure('not_found');
    if (memberships.length > 1) {
      throw new Failure(
        'conflict',
        'This person also belongs to another organization and must reset it themselves.',
      );
    }
    if (!account.totp_enabled_at) throw new Failure('conflict', 'This person has no second factor.');
    await system
      .updateTable('account')
      .set({ totp_secret: null, totp_enabled_at: null, totp_last_step: null, totp_pending: null })
      .where('id', '=', accountId)
      .execute();
    await system.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
    await system
      .insertInto('activity')
      .values(
        activityRow(caller, {
          action: 'member.second-factor-reset',
          nounId: accountId,
          name: actorOf(member),
        }),
      )
      .execute();
    await requestMail(system, {
      kind: 'account-changed',
      email: account.email,
      detail: 'second-factor-reset',
    });
    return endSessionsOf({ system }, { accountId });
  });
  return { member: { ...member, secondFactor: false }, endedSessions };
}
