import { idsAfter, type OrganizationTransaction } from '@riskboard/db';

/**
 * Creates ids of alerts, under the lock of the alerts: they sort after all others of the organization, regardless of the clocks
 * of the workers, because a member has read every alert up to an id.
 */
export async function alertIds(trx: OrganizationTransaction): Promise<() => string> {
  const newest = await trx
    .selectFrom('alert')
    .select('id')
    .where((eb) => eb('organization_id', '=', eb.fn<string>('current_organization')))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return idsAfter(newest?.id);
}
