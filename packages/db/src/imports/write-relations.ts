import { idsShown } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { ChangeCount } from '../changes.ts';
import { planForeignKeysAgain } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { linkOf } from './relations.ts';
import type { ImportRun, WriteColumn } from './write-columns.ts';

/**
 * The counts of related assets of the vulnerabilities that will be created, in the table `related_count`. Each asset is looked up by
 * its key (`offset 0`): the planner expects few assets and would join all rows with all of them.
 */
export async function countRelated(trx: OrganizationTransaction): Promise<void> {
  await sql`
    create temporary table related_count on commit drop as
    select r.line, count(*)::int as assets, (count(*) filter (where a.criticality >= 4))::int as critical
    from (
      select distinct resolved.line, resolved.target
      from resolved join planned p on p.line = resolved.line and p.action = 'created'
    ) r
    cross join lateral (
      select asset.criticality from asset
      where asset.organization_id = current_organization() and asset.id = r.target offset 0
    ) a
    group by 1`.execute(trx);
  await sql`create unique index on related_count (line)`.execute(trx);
  await sql`analyze related_count`.execute(trx);
}

/** A vulnerability is created with the counts of its related assets; `addRelations` says so to the triggers. */
export const relatedCounts: readonly Pick<WriteColumn, 'name' | 'created'>[] = [
  { name: 'asset_count', created: sql`coalesce(related_count.assets, 0)` },
  { name: 'critical_asset_count', created: sql`coalesce(related_count.critical, 0)` },
];

/** Whether the import writes relations of vulnerabilities. */
export const relatesVulnerabilities = ({ noun, fields }: ImportRun): boolean =>
  noun === 'vulnerabilities' && fields.includes('relatedAssets');

/**
 * After all records exist: a row may be related to one that a later row creates.
 * @returns the assets that got or lost a relation
 */
export async function writeRelations(trx: OrganizationTransaction, run: ImportRun): Promise<ChangeCount> {
  const { table, owner, asset } = linkOf(run);
  const { rows: lost } = await sql<RelatedCount>`
    with lost as (
      delete from ${table} l using planned p
      where l.organization_id = current_organization() and l.${owner} = p.id and p.relations
        and not exists (select from resolved where resolved.line = p.line and resolved.target = l.${asset})
      returning l.${asset} as id
    ) ${relatedCount('lost')}`.execute(trx);
  const { rows: wanted } = await sql<{ count: number }>`select count(*)::int as count from resolved`.execute(
    trx,
  );
  await planForeignKeysAgain(trx, wanted[0]?.count ?? 0);
  const created = await addRelations(trx, run, sql`p.action = 'created'`, { areCounted: true });
  const updated = await addRelations(trx, run, sql`p.action <> 'created'`, { areCounted: false });
  const related = new ChangeCount();
  for (const { ids, n } of [...lost, ...created, ...updated]) related.add(ids, n);
  return related;
}

/** @param areCounted the records have the counts of their related assets already */
async function addRelations(
  trx: OrganizationTransaction,
  run: ImportRun,
  rowsOf: RawBuilder<unknown>,
  { areCounted }: { areCounted: boolean },
): Promise<RelatedCount[]> {
  const { table, owner, asset } = linkOf(run);
  if (areCounted) await sql`select set_config('app.related_assets_counted', 'on', true)`.execute(trx);
  const { rows } = await sql<RelatedCount>`
    with added as (
      insert into ${table} (organization_id, ${owner}, ${asset})
      select distinct current_organization(), resolved.owner, resolved.target
      from resolved join planned p on p.line = resolved.line and p.relations and ${rowsOf}
      on conflict do nothing returning ${asset} as id
    ) ${relatedCount('added')}`.execute(trx);
  if (areCounted) await sql`select set_config('app.related_assets_counted', '', true)`.execute(trx);
  return rows;
}

interface RelatedCount {
  n: number;
  ids: string[];
}

const relatedCount = (from: 'lost' | 'added') => sql`
  select count(distinct id)::int as n, coalesce((array_agg(distinct id))[1:${sql.lit(idsShown)}], '{}') as ids
  from ${sql.table(from)}`;
