import { type RawBuilder, sql } from 'kysely';
import { lockAssertions } from '../locks/file-locks.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/**
 * Before the criticality of assets changes, or assets are deleted: that writes the rows of the related vulnerabilities
 * (migration 0026), several of which are locked only under the lock of the assertions. Callers hold lockAssets.
 * @param where a condition on the asset `r`
 */
export async function lockScoresOfAssets(
  trx: OrganizationTransaction,
  where: RawBuilder<boolean>,
): Promise<void> {
  const { rows } = await sql`
    select from asset r
    where r.organization_id = current_organization() and r.vulnerability_count > 0 and ${where} limit 1`.execute(
    trx,
  );
  if (rows.length > 0) await lockAssertions(trx);
}

/**
 * For assets that are about to be deleted: marks the scores of their vulnerabilities and no longer counts the assets in
 * them. In one statement, because the foreign keys delete the relations of each asset in a statement of its own.
 */
export const leaveAssets = (trx: OrganizationTransaction, assets: readonly string[]) =>
  sql`
    update vulnerability v set cwss_inputs = v.cwss_inputs + 1,
      cwss_stale = cwss_stale_with(v.cwss_score, v.cwss_stale, '{assets}'),
      asset_count = greatest(0, v.asset_count - related.assets),
      critical_asset_count = greatest(0, v.critical_asset_count - related.critical)
    from (
      select r.vulnerability_id as id, count(*)::integer as assets,
        (count(*) filter (where a.criticality >= 4))::integer as critical
      from vulnerability_asset r join asset a on a.organization_id = r.organization_id and a.id = r.asset_id
      where r.organization_id = current_organization() and r.asset_id = any (${assets}::uuid[])
      group by r.vulnerability_id
    ) related
    where v.organization_id = current_organization() and v.id = related.id`.execute(trx);

/**
 * Runs a change of relations that marks no score, and counts no deleted relation in vulnerabilities: these are deleted,
 * or the caller does it.
 */
export async function withoutMarks<T>(trx: OrganizationTransaction, change: () => Promise<T>): Promise<T> {
  await sql`select set_config('app.cwss_unmarked', 'on', true)`.execute(trx);
  const result = await change();
  await sql`select set_config('app.cwss_unmarked', '', true)`.execute(trx);
  return result;
}
