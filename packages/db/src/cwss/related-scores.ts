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
 * Marks the scores of vulnerabilities that are related to assets which are about to be deleted: in one statement, because
 * the foreign keys delete the relations of each asset in a statement of its own.
 */
export const markScoresOfAssets = (trx: OrganizationTransaction, assets: readonly string[]) =>
  sql`
    update vulnerability v set cwss_inputs = v.cwss_inputs + 1,
      cwss_stale = cwss_stale_with(v.cwss_score, v.cwss_stale, '{assets}')
    where v.organization_id = current_organization() and v.id in (
      select vulnerability_id from vulnerability_asset
      where organization_id = current_organization() and asset_id = any (${assets}::uuid[]))`.execute(trx);

/** Runs a change of relations that marks no score: the vulnerabilities are deleted, or marked by the caller. */
export async function withoutMarks<T>(trx: OrganizationTransaction, change: () => Promise<T>): Promise<T> {
  await sql`select set_config('app.cwss_unmarked', 'on', true)`.execute(trx);
  const result = await change();
  await sql`select set_config('app.cwss_unmarked', '', true)`.execute(trx);
  return result;
}
