import { type AssetDetail, relatedMax } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import { relatedAssetsOf, relatedDescription } from '../records/find.ts';
import type { EntityRow } from '../records/entity-rules.ts';
import type { FullAsset } from './rules.ts';

const list = (rows: RawBuilder<unknown>) =>
  sql`coalesce((select jsonb_agg(listed.one order by listed.n) from (${rows}) listed), '[]')`;

/** Assets on the other end of a relation of `r`. */
const related = (here: string, there: string) =>
  relatedAssetsOf(sql`
    select t.${sql.ref(there)} from asset_relation t
    where t.organization_id = r.organization_id and t.${sql.ref(here)} = r.id`);

const children = related('asset_id', 'related_id');
const parents = related('related_id', 'asset_id');

/** Most severe first. */
const threats = list(sql`
  select jsonb_build_object('_id', t.id, 'name', t.name, 'description', ${relatedDescription('t')}, 'riskLevel', t.risk_level) as one,
    row_number() over (order by t.risk_level desc nulls last, t.name, t.id) as n
  from threat_asset l join threat t on t.organization_id = l.organization_id and t.id = l.threat_id
  where l.organization_id = r.organization_id and l.asset_id = r.id
  order by n limit ${sql.lit(relatedMax)}`);

const vulnerabilities = list(sql`
  select jsonb_build_object('_id', v.id, 'name', v.name, 'description', ${relatedDescription('v')},
      'severity', v.severity, 'cvssScore', v.cvss_score, 'status', v.status) as one,
    row_number() over (order by coalesce(v.cvss_score, v.severity) desc nulls last, v.name, v.id) as n
  from vulnerability_asset l join vulnerability v on v.organization_id = l.organization_id and v.id = l.vulnerability_id
  where l.organization_id = r.organization_id and l.asset_id = r.id
  order by n limit ${sql.lit(relatedMax)}`);

type Found = EntityRow &
  Pick<FullAsset, 'relatedAssets' | 'relatedAssetTotal' | 'parentAssets' | 'parentAssetTotal'> & {
    its_threats: FullAsset['threats'];
    its_vulnerabilities: FullAsset['vulnerabilities'];
    changer: string;
  };

/** @throws Failure 404 */
export async function findAsset(trx: OrganizationTransaction, id: string): Promise<FullAsset> {
  const { rows } = await sql<Found>`
    select r.*, ${children.list} as "relatedAssets", ${children.total} as "relatedAssetTotal",
      ${parents.list} as "parentAssets", ${parents.total} as "parentAssetTotal",
      ${threats} as its_threats, ${vulnerabilities} as its_vulnerabilities,
      coalesce((select trim(c.first_name || ' ' || c.last_name) from account c where c.id = r.updated_by), '') as changer
    from (
      select a.*, p.name as project_name from asset a
      join project p on p.organization_id = a.organization_id and p.id = a.project_id
    ) r
    where r.organization_id = current_organization() and r.id = ${id}`.execute(trx);
  const [found] = rows;
  if (!found) throw new Failure('not_found', 'Asset not found.');
  const {
    relatedAssets,
    relatedAssetTotal,
    parentAssets,
    parentAssetTotal,
    its_threats,
    its_vulnerabilities,
    changer,
    ...row
  } = found;
  return {
    row,
    relatedAssets,
    relatedAssetTotal,
    parentAssets,
    parentAssetTotal,
    threats: its_threats,
    vulnerabilities: its_vulnerabilities,
    updatedBy: changer,
  };
}

type Child = AssetDetail['relatedAssets'][number] & { assetTypeId: number; childCount: number };

/** @throws Failure 404 when the asset is not in this organization */
export async function requireAsset(trx: OrganizationTransaction, id: string): Promise<void> {
  const known = await trx.selectFrom('asset').select('id').where('id', '=', id).executeTakeFirst();
  if (!known) throw new Failure('not_found', 'Asset not found.');
}

/** The assets that are children of this one, by name. @throws Failure 404 */
export async function childrenOf(trx: OrganizationTransaction, id: string): Promise<Child[]> {
  await requireAsset(trx, id);
  const { rows } = await sql<Child>`
    select asset.id as _id, asset.name, ${relatedDescription('asset')} as description, asset.asset_type_id as "assetTypeId", (
        select count(*)::int from asset_relation child
        where child.organization_id = current_organization() and child.asset_id = asset.id
      ) as "childCount"
    from asset_relation relation
    join asset on asset.organization_id = current_organization() and asset.id = relation.related_id
    where relation.organization_id = current_organization() and relation.asset_id = ${id}
    order by asset.name, asset.id`.execute(trx);
  return rows;
}
