import { type RawBuilder, sql } from 'kysely';
import { wasAssetAtRisk } from '../records/asset-risk.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

const wasAtRisk = wasAssetAtRisk({
  score: 'before.score',
  threats: 'before.threat_count',
  vulnerabilities: 'before.vulnerability_count',
});

/**
 * Removes what this transaction has noted for alerts of assets that met the condition of the rule before the records
 * were deleted whose relations return: a restored state is not new (decision 37).
 * @param trash rows of `deleted_record` with the alias `trash`
 */
export async function dropRestoredCrossings(
  trx: OrganizationTransaction,
  trash: RawBuilder<unknown>,
): Promise<void> {
  const noted = await sql`
    select from alert_change where organization_id = current_organization() and at = transaction_timestamp() limit 1`.execute(
    trx,
  );
  if (noted.rows.length === 0) return;
  await sql`
    with related as (
      select links.asset_id, min(links.deleted_at) as deleted_at
      from (
        select jsonb_array_elements_text(trash.links -> 'assets')::uuid as asset_id, trash.deleted_at from ${trash}
      ) links
      group by links.asset_id
    ), before as (
      select related.asset_id, score.* from related
      cross join lateral (
        select s.score, s.threat_count, s.vulnerability_count from asset_score s
        where s.organization_id = current_organization() and s.asset_id = related.asset_id and s.at <= related.deleted_at
        order by s.at desc limit 1
      ) score
    ), known as (
      select change.id, count(*)::integer as subjects, array_agg(before.asset_id) as asset_ids
      from alert_change change
      join alert_rule r on r.organization_id = change.organization_id and r.id = change.rule_id
      cross join unnest(change.subject_ids) as subject (id)
      join before on before.asset_id = subject.id
      where change.organization_id = current_organization() and change.at = transaction_timestamp() and (
        r.kind = 'asset-at-risk' and ${sql.raw(wasAtRisk)}
        or r.kind = 'score-above' and r.score = 'asset' and before.score > r.threshold)
      group by change.id
    ), removed as (
      delete from alert_change change using known
      where change.organization_id = current_organization() and change.id = known.id and change.count = known.subjects
    )
    update alert_change change set count = change.count - known.subjects,
      subject_ids = array(select id from unnest(change.subject_ids) as subject (id) where id <> all (known.asset_ids))
    from known
    where change.organization_id = current_organization() and change.id = known.id and change.count > known.subjects`.execute(
    trx,
  );
}
