import { setImmediate } from 'node:timers/promises';
import { rejectedLines, type NumberedRelations } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { joiningByHash, planForeignKeysAgain } from '../query-plans.ts';
import { numberedRelations } from '../records/numbered-relations.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/**
 * Former relations of these rows `trash` of the trash whose other end exists, numbered by parent and child. Each end is
 * looked up once, by its key (`offset 0`), also when the last count of the assets was made while they were in the trash.
 */
async function selectFormer(trx: OrganizationTransaction, trash: RawBuilder<unknown>): Promise<number> {
  await sql`drop table if exists former, below`.execute(trx);
  // The planner expects few rows of the lists of an asset.
  await joiningByHash(trx, () =>
    sql`
    create temporary table former on commit drop as
    with was as materialized (
      select trash.id as "from", jsonb_array_elements_text(trash.links -> 'children')::uuid as "to" from ${trash}
      union
      select jsonb_array_elements_text(trash.links -> 'parents')::uuid, trash.id from ${trash}
    ), here as materialized (
      select id from (select "from" as id from was union select "to" from was) ends
      where exists (
        select from asset where organization_id = current_organization() and asset.id = ends.id offset 0)
    )
    select row_number() over (order by was."from", was."to")::int as line, was."from", was."to"
    from was join here parent on parent.id = was."from" join here child on child.id = was."to"`.execute(trx),
  );
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from former`.execute(trx);
  return rows[0]?.count ?? 0;
}

/**
 * Existing relations that lead from a child of a former relation to the parent of one: no others can be part of a
 * cycle. Relations are read by key, and those of an asset once.
 */
async function relationsBetween(trx: OrganizationTransaction): Promise<RawBuilder<unknown>> {
  await sql`
    create temporary table below on commit drop as
    with recursive found (id) as (
      select "to" from former
      union
      select next.id from found cross join lateral (
        select related_id as id from asset_relation
        where organization_id = current_organization() and asset_id = found.id offset 0
      ) next
    )
    select id from found`.execute(trx);
  await sql`create unique index on below (id)`.execute(trx);
  await sql`analyze former, below`.execute(trx);
  const isBelow = (id: RawBuilder<unknown>) =>
    sql`exists (select from below where below.id = ${id} offset 0)`;
  const previous = sql`
    cross join lateral (
      select asset_id as id from asset_relation
      where organization_id = current_organization() and related_id = found.id and ${isBelow(sql`asset_id`)} offset 0
    ) previous`;
  return sql`
    with recursive found (id) as (
      select "from" from former where ${isBelow(sql`former."from"`)}
      union
      select previous.id from found ${previous}
    )
    select previous.id as "from", found.id as "to", 0 as line from found ${previous}`;
}

/** Pauses for the other requests of the process: the search takes seconds when thousands of relations are on cycles. */
async function rejectedLinesWithPauses(relations: NumberedRelations): Promise<number[]> {
  const search = rejectedLines(relations);
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
    await setImmediate();
  }
}

/**
 * Restores the relations of restored assets whose other end exists, one after another without those that would create a
 * cycle.
 * @param trash rows `trash` of the trash, of assets that have no relations yet
 * @returns ids of the parents in these relations that were not restored themselves
 */
export async function restoreRelations(
  trx: OrganizationTransaction,
  trash: RawBuilder<unknown>,
): Promise<string[]> {
  const count = await selectFormer(trx, trash);
  if (count === 0) return [];
  const between = await relationsBetween(trx);
  const relations = await numberedRelations(
    trx,
    sql`select "from", "to", line from former union all select * from (${between}) between_them`,
  );
  const closing = await rejectedLinesWithPauses(relations);
  if (closing.length > 0) await sql`delete from former where line = any (${closing}::integer[])`.execute(trx);
  await planForeignKeysAgain(trx, count);
  await sql`
    insert into asset_relation (organization_id, asset_id, related_id)
    select current_organization(), "from", "to" from former order by line`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select "from" as id from former except select trash.id from ${trash}`.execute(trx);
  return rows.map(({ id }) => id);
}
