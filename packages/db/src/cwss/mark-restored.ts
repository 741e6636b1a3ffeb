import { type RawBuilder, sql } from 'kysely';
import { joiningRows } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { loadWeaknesses } from './weaknesses.ts';

interface Restored {
  /** A query of vulnerabilities, without repetition. */
  ids: RawBuilder<{ id: string }>;
  /** How many these are. */
  count: number;
}

/**
 * Selects the marks that the newest scores of vulnerabilities need after records were restored, as rows `(id, stale)` of the
 * temporary table `restored_mark`: the vignette, the related assets or the catalogue may have changed while vulnerabilities were
 * in the trash, and a score that the deletion of an asset marked is current again when the asset is restored as it was.
 * Relations are restored already; callers hold the lock of the assertions. Subqueries with `offset 0` are looked up in the
 * primary key (decision 0020), relations are joined at once: after the deletion of all of them, the planner would read those
 * of the organization for each vulnerability.
 */
export async function selectRestoredMarks(
  trx: OrganizationTransaction,
  { ids, count }: Restored,
): Promise<void> {
  const { catalogueVersion } = await loadWeaknesses(trx, []);
  await sql`drop table if exists restored_mark`.execute(trx);
  const marks = sql`
    create temporary table restored_mark on commit drop as
    with wanted (id) as materialized (${ids}), asset as materialized (
      select distinct on (related.vulnerability_id) related.vulnerability_id, a.id, a.criticality
      from wanted
      join vulnerability_asset related
        on related.organization_id = current_organization() and related.vulnerability_id = wanted.id
      cross join lateral (
        select id, criticality from asset
        where organization_id = current_organization() and id = related.asset_id offset 0
      ) a
      where a.criticality is not null
      order by related.vulnerability_id, a.criticality desc, a.id
    )
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
    left join asset on asset.vulnerability_id = r.id
    cross join lateral (
      select (score.inputs #>> '{asset,id}', score.inputs #>> '{asset,criticality}')
        is distinct from (asset.id::text, asset.criticality::text) as asset
    ) other`;
  await joiningRows(trx, { tables: ['vulnerability_asset'], count }, () => marks.execute(trx));
  await sql`create unique index on restored_mark (id)`.execute(trx);
  await sql`analyze restored_mark`.execute(trx);
}

/** Marks the scores of restored vulnerabilities that need another mark than they have. */
export async function markRestored(trx: OrganizationTransaction, ids: readonly string[]): Promise<void> {
  await selectRestoredMarks(trx, { ids: sql`select unnest(${ids}::uuid[])`, count: ids.length });
  await sql`
    update vulnerability v set cwss_inputs = v.cwss_inputs + 1, cwss_stale = found.stale
    from restored_mark found
    where v.organization_id = current_organization() and v.id = found.id and v.cwss_stale <> found.stale`.execute(
    trx,
  );
}
