import { findLineCycles, type LineCycle, mostCycleNodes } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { numberedRelations } from '../records/numbered-relations.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { joinRows, linesOfRepeatedKeys } from './joined-rows.ts';
import type { ImportRun } from './write-columns.ts';

/** The relations of an entity's records to assets: the table, and its columns of record and asset. */
export const linkOf = (run: Pick<ImportRun, 'noun'>) =>
  run.noun === 'assets'
    ? { table: sql.table('asset_relation'), owner: sql.ref('asset_id'), asset: sql.ref('related_id') }
    : {
        table: sql.table('vulnerability_asset'),
        owner: sql.ref('vulnerability_id'),
        asset: sql.ref('asset_id'),
      };

/** Sorted ids of the assets that the record `r` is related to. */
export function relatedNow(run: Pick<ImportRun, 'noun'>): RawBuilder<string[]> {
  const { table, owner, asset } = linkOf(run);
  return sql<string[]>`array(
    select l.${asset} from ${table} l where l.organization_id = current_organization() and l.${owner} = r.id order by 1)`;
}

/** Those of the ids whose assets exist, sorted. */
export const existingAssets = (ids: RawBuilder<unknown>): RawBuilder<string[]> => sql<string[]>`array(
  select a.id from asset a where a.organization_id = current_organization() and a.id = any (${ids}) order by 1)`;

/** Rows whose names are not those of the assets that the record is related to now, and all rows that share their key. */
async function selectChanged(trx: OrganizationTransaction, run: ImportRun): Promise<void> {
  const { table, owner, asset } = linkOf(run);
  await sql`
    create temporary table relating on commit drop as
    select p.line, p.id, p.project_id, s._related as names
    from planned p join staged s on s._line = p.line
    left join lateral (
      select array_agg(a.name order by a.name collate "C") as names from ${table} l
      join asset a on a.organization_id = l.organization_id and a.id = l.${asset}
      where l.organization_id = current_organization() and l.${owner} = p.record_id
    ) now on true
    where p.action <> 'failed' and s._related is not null
      and (
        array(select name from unnest(s._related) name order by name collate "C") is distinct from coalesce(now.names, '{}')
        or p.line in (${linesOfRepeatedKeys})
      )`.execute(trx);
  await sql`analyze relating`.execute(trx);
}

/**
 * The asset of each name: in the project of the row, in the records or in the file, else the only one of that name in
 * the organization.
 */
async function resolveNames(trx: OrganizationTransaction, run: ImportRun): Promise<void> {
  const created =
    run.noun === 'assets'
      ? sql`union all select project_id, name, id, line from planned where action = 'created'`
      : sql``;
  await sql`
    create temporary table resolved on commit drop as
    with wanted as (
      select distinct relating.line, relating.id, relating.project_id, name
      from relating cross join lateral unnest(relating.names) name
    ), named as (
      select distinct project_id, name from wanted
    ), candidate as (
      select project_id, name, id, null::integer as line from asset
      where organization_id = current_organization() and name in (select name from named)
      ${created}
    ), near as (
      select named.project_id, named.name, count(*)::int as n, (array_agg(c.id))[1] as id, min(c.line) as line
      from named join candidate c on c.project_id = named.project_id and c.name = named.name group by 1, 2
    ), far as (
      select name, count(*)::int as n, (array_agg(id))[1] as id, min(line) as line from candidate group by 1
    )
    select wanted.line, wanted.id as owner, wanted.name, coalesce(near.id, far.id) as target,
      coalesce(near.n, far.n, 0) as n, case when near.id is null then far.line else near.line end as target_line
    from wanted
    left join near on near.project_id = wanted.project_id and near.name = wanted.name
    left join far on far.name = wanted.name`.execute(trx);
  await sql`create index on resolved (line)`.execute(trx);
  await sql`analyze resolved`.execute(trx);
}

const fail = (
  trx: OrganizationTransaction,
  failures: RawBuilder<{ line: number; problem: string }>,
): Promise<unknown> =>
  sql`
    update planned p set action = 'failed', problem = failure.problem, field = 'relatedAssets', relations = false
    from (${failures}) failure where p.line = failure.line and p.action <> 'failed'`.execute(trx);

/** Fails the rows with a relation to an asset that a failed row would have created. */
async function failDependents(trx: OrganizationTransaction): Promise<void> {
  await fail(
    trx,
    sql`
    with recursive lost (line) as (
      select line from planned where action = 'failed' and record_id is null
      union
      select resolved.line from resolved join lost on lost.line = resolved.target_line
      join planned on planned.line = resolved.line and planned.record_id is null
    )
    select resolved.line,
      min('The asset ' || resolved.name || ' is not created: line ' || resolved.target_line || ' fails.') as problem
    from resolved join lost on lost.line = resolved.target_line group by 1`,
  );
}

/** Relations as they will be: those of the file, and the existing ones of all other assets. */
const futureRelations = sql`
  select resolved.owner as "from", resolved.target as "to", resolved.line
  from resolved join planned on planned.line = resolved.line and planned.action <> 'failed'
  where resolved.target is not null
  union all
  select r.asset_id, r.related_id, 0 from asset_relation r
  where r.organization_id = current_organization() and not exists (
    select from relating join planned on planned.line = relating.line and planned.action <> 'failed'
    where relating.id = r.asset_id)`;

/**
 * Cycles of these relations, the columns "from", "to" and line (0 for one that exists and stays). The table `node` has
 * the number of each asset.
 */
export const cyclesOf = async (
  trx: OrganizationTransaction,
  relations: RawBuilder<unknown>,
): Promise<LineCycle[]> => findLineCycles(await numberedRelations(trx, relations));

/** Fails the rows that close a cycle, naming it. @returns whether there was one */
async function failCycles(trx: OrganizationTransaction): Promise<boolean> {
  const cycles = await cyclesOf(trx, futureRelations);
  if (cycles.length === 0) return false;
  const shown = cycles.map(({ line, nodes, length }) => ({
    line,
    nodes,
    first: length > nodes.length ? null : nodes[0],
  }));
  await fail(
    trx,
    sql`
    select cycle.line, 'Relationships must not form a cycle: ' || (
      select string_agg(coalesce(a.name, p.name, '?'), ' → ' order by step.at)
      from (
        select n::int as n, at from jsonb_array_elements_text(cycle.nodes) with ordinality steps (n, at)
        union all select cycle.first, ${mostCycleNodes + 1} where cycle.first is not null
      ) step
      join node on node.n = step.n
      left join asset a on a.organization_id = current_organization() and a.id = node.id
      left join planned p on p.id = node.id and p.record_id is null
    ) || case when cycle.first is null then ' → …' else '.' end as problem
    from jsonb_to_recordset(${JSON.stringify(shown)}::jsonb) as cycle (line integer, nodes jsonb, first integer)`,
  );
  await failDependents(trx);
  return true;
}

/** Marks the rows whose relations change; a record that stays the same otherwise is updated. */
async function markChanged(trx: OrganizationTransaction, run: ImportRun): Promise<void> {
  const { table, owner, asset } = linkOf(run);
  await sql`
    update planned p set relations = true, action = case when p.action = 'unchanged' then 'updated' else p.action end
    from relating
    where relating.line = p.line and p.action <> 'failed' and array(
      select distinct target from resolved where resolved.line = p.line order by 1
    ) is distinct from array(
      select l.${asset} from ${table} l where l.organization_id = current_organization() and l.${owner} = p.id order by 1
    )`.execute(trx);
}

/**
 * Finds the assets that the names of the file mean, and fails the rows whose relations are not possible: unknown or
 * ambiguous names, the asset itself, assets that are not created, and cycles.
 */
export async function resolveRelations(
  trx: OrganizationTransaction,
  run: ImportRun,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  await selectChanged(trx, run);
  await resolveNames(trx, run);
  const unknown = isWhole ? sql`n <> 1` : sql`n > 1`;
  await fail(
    trx,
    sql`
    select line, min(case
      when n = 0 then 'No asset is named ' || name || '.'
      when n > 1 then n || ' assets are named ' || name || '.'
      else 'An asset cannot be related to itself.' end) as problem
    from resolved where ${unknown} or target = owner group by 1`,
  );
  await failDependents(trx);
  if (run.noun === 'assets') {
    await sql`create index on relating (id)`.execute(trx);
    await sql`create index on planned (id)`.execute(trx);
    while (await failCycles(trx)) continue;
  }
  await sql`delete from resolved using planned p where p.line = resolved.line and (p.action = 'failed' or resolved.target is null)`.execute(
    trx,
  );
  await joinRows(trx, run, { related: true });
  await markChanged(trx, run);
  await sql`analyze planned`.execute(trx);
}
