import { sql } from 'kysely';
import { planForeignKeysAgain } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** A parent/child link between assets: `to` is a child of `from`. */
interface Relation {
  from: string;
  to: string;
}

/** Inserts the relations that do not exist yet. @returns how many */
export async function relate(trx: OrganizationTransaction, relations: readonly Relation[]): Promise<number> {
  if (relations.length === 0) return 0;
  await planForeignKeysAgain(trx, relations.length);
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
