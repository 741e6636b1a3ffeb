import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { loadWeaknesses } from './weaknesses.ts';

/**
 * Marks the scores of restored vulnerabilities that no longer fit: the vignette, the related assets or the catalogue
 * changed while they were in the trash. Their relations are restored already.
 */
export async function markRestored(trx: OrganizationTransaction, ids: readonly string[]): Promise<void> {
  const { catalogueVersion } = await loadWeaknesses(trx, []);
  await sql`
    update vulnerability v set cwss_inputs = v.cwss_inputs + 1,
      cwss_stale = cwss_stale_with(v.cwss_score, v.cwss_stale, found.reasons)
    from (
      select r.id, array_remove(array[
        case when vignette.id is null then 'vignette-deleted'
          when vignette.version <> score.vignette_version then 'vignette' end,
        case when (score.inputs #>> '{asset,id}', score.inputs #>> '{asset,criticality}')
          is distinct from (asset.id::text, asset.criticality::text) then 'assets' end,
        case when score.catalogue_version <> ${catalogueVersion} then 'catalogue' end], null) as reasons
      from vulnerability r
      join cwss_score score
        on score.organization_id = r.organization_id and score.vulnerability_id = r.id and score.version = r.cwss_version
      left join vignette on vignette.organization_id = r.organization_id and vignette.id = score.vignette_id
      left join lateral (
        select a.id, a.criticality from vulnerability_asset related
        join asset a on a.organization_id = related.organization_id and a.id = related.asset_id
        where related.organization_id = r.organization_id and related.vulnerability_id = r.id
          and a.criticality is not null
        order by a.criticality desc, a.id limit 1
      ) asset on true
      where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])
    ) found
    where v.organization_id = current_organization() and v.id = found.id and cardinality(found.reasons) > 0`.execute(
    trx,
  );
}
