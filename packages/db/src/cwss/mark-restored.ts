import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { loadWeaknesses } from './weaknesses.ts';

/**
 * The marks that the newest scores of vulnerabilities need after records were restored, as rows `(id, stale)`: the vignette,
 * the related assets or the catalogue may have changed while vulnerabilities were in the trash, and a score that the deletion
 * of an asset marked is current again when the asset is restored as it was. Relations are restored already; callers hold the
 * lock of the assertions. Subqueries with `offset 0` are looked up in the primary key (decision 0020).
 * @param ids a query of the vulnerabilities
 */
export async function restoredMarks(
  trx: OrganizationTransaction,
  ids: RawBuilder<{ id: string }>,
): Promise<RawBuilder<{ id: string; stale: string[] }>> {
  const { catalogueVersion } = await loadWeaknesses(trx, []);
  return sql`
    with wanted (id) as materialized (${ids})
    select r.id, cwss_stale_with(r.cwss_score,
      case when other.asset then r.cwss_stale else array_remove(r.cwss_stale, 'assets') end,
      array_remove(array[
        case when vignette.id is null then 'vignette-deleted'
          when vignette.version <> score.vignette_version then 'vignette' end,
        case when other.asset then 'assets' end,
        case when score.catalogue_version <> ${catalogueVersion} then 'catalogue' end], null)) as stale
    from wanted
    cross join lateral (
      select id, cwss_score, cwss_stale, cwss_version from vulnerability
      where organization_id = current_organization() and id = wanted.id offset 0
    ) r
    cross join lateral (
      select vignette_id, vignette_version, catalogue_version, inputs from cwss_score
      where organization_id = current_organization() and vulnerability_id = r.id and version = r.cwss_version offset 0
    ) score
    left join vignette on vignette.organization_id = current_organization() and vignette.id = score.vignette_id
    left join lateral (
      select a.id, a.criticality from vulnerability_asset related
      cross join lateral (
        select id, criticality from asset
        where organization_id = current_organization() and id = related.asset_id offset 0
      ) a
      where related.organization_id = current_organization() and related.vulnerability_id = r.id
        and a.criticality is not null
      order by a.criticality desc, a.id limit 1
    ) asset on true
    cross join lateral (
      select (score.inputs #>> '{asset,id}', score.inputs #>> '{asset,criticality}')
        is distinct from (asset.id::text, asset.criticality::text) as asset
    ) other`;
}

/** Writes {@link restoredMarks} where they differ. */
export async function markRestored(
  trx: OrganizationTransaction,
  ids: RawBuilder<{ id: string }>,
): Promise<void> {
  await sql`
    with found as materialized (${await restoredMarks(trx, ids)})
    update vulnerability v set cwss_inputs = v.cwss_inputs + 1, cwss_stale = found.stale
    from found
    where v.organization_id = current_organization() and v.id = found.id and v.cwss_stale <> found.stale`.execute(
    trx,
  );
}
