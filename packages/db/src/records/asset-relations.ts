import type { Relation } from '@riskboard/domain';
import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/** Every relation below these assets, at any depth; `to` is a child of `from`. */
export async function relationsBelow(
  trx: OrganizationTransaction,
  ids: readonly string[],
): Promise<Relation[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Relation>`
    with recursive found ("from", "to") as (
      select asset_id, related_id from asset_relation
      where organization_id = current_organization() and asset_id = any (${ids}::uuid[])
      union
      select next.asset_id, next.related_id from found
      join asset_relation next on next.organization_id = current_organization() and next.asset_id = found."to"
    )
    select * from found`.execute(trx);
  return rows;
}

/** Inserts the relations that do not exist yet. @returns how many */
export async function relate(trx: OrganizationTransaction, relations: readonly Relation[]): Promise<number> {
  if (relations.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into asset_relation (organization_id, asset_id, related_id)
    select current_organization(), wanted."from", wanted."to"
    from unnest(${relations.map(({ from }) => from)}::uuid[], ${relations.map(({ to }) => to)}::uuid[]) wanted ("from", "to")
    on conflict do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Makes exactly these assets children of the asset. @returns whether that changed anything */
export async function setRelated(
  trx: OrganizationTransaction,
  { id, related }: { id: string; related: readonly string[] },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from asset_relation
    where organization_id = current_organization() and asset_id = ${id} and not related_id = any (${related}::uuid[])`.execute(
    trx,
  );
  const added = await relate(
    trx,
    related.map((to) => ({ from: id, to })),
  );
  return Number(numAffectedRows ?? 0) + added > 0;
}
