import type { Role } from '@riskboard/contract';
import type { Database } from '@riskboard/db';
import { Failure } from '../lib/http/failure.ts';
import type { Caller } from '../lib/security/caller.ts';
import { type Device, enterOrganization, type Entered } from './enter-organization.ts';

/** The organizations of a person, sorted by name. */
export async function listMemberships(
  database: Database,
  { accountId, organizationId }: Pick<Caller, 'accountId' | 'organizationId'>,
): Promise<{ organizationId: string; organization: string; role: Role; current: boolean }[]> {
  const rows = await database.system
    .selectFrom('membership')
    .innerJoin('organization', 'organization.organization_id', 'membership.organization_id')
    .select(['membership.organization_id as organizationId', 'organization.name as organization', 'role'])
    .where('account_id', '=', accountId)
    .orderBy('organization.name')
    .orderBy('membership.organization_id')
    .execute();
  return rows.map((row) => ({ ...row, current: row.organizationId === organizationId }));
}

/**
 * Switches to another organization of the person: a new session replaces the current one.
 * @throws Failure 404 when the person is not a member
 */
export function switchTo(
  database: Database,
  { caller, organizationId }: { caller: Caller; organizationId: string },
  device: Device,
): Promise<Entered> {
  const { accountId, sessionId } = caller;
  return database.system.transaction().execute(async (trx) => {
    const member = await trx
      .selectFrom('membership')
      .select('role')
      .where('organization_id', '=', organizationId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (!member || sessionId === null) throw new Failure('not_found');
    return enterOrganization(trx, {
      accountId,
      organizationId,
      device,
      action: 'account.signed-in',
      continues: sessionId,
    });
  });
}
