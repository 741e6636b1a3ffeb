import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { walkAssets, type WalkLimits } from './asset-walk.ts';

/** Fewer than those of a graph: relations below the children are searched when more are above the asset. */
const limitsAbove: WalkLimits = { steps: 100, assets: 1000, relations: 10_000 };

/** Assets of a cycle that a message names, as in the report of an import. */
const mostShown = 8;

export interface AssetCycle {
  /** Ids from the parent down to it again, or the first of them. */
  path: string[];
  isWhole: boolean;
}

interface NewRelations {
  parent: string;
  children: readonly string[];
}

/**
 * The shortest cycle that relating the children, which are other assets, to the parent would create. The database
 * decides: few assets are above most assets, so that a walk upwards is complete. Otherwise every relation below the
 * children is read once, until the parent is found.
 */
export async function findCycle(
  trx: OrganizationTransaction,
  { parent, children }: NewRelations,
  limits: WalkLimits = limitsAbove,
): Promise<AssetCycle | undefined> {
  const { assets, truncated } = await walkAssets(trx, { id: parent, direction: 'parents' }, limits);
  const wanted = new Set(children);
  const nearest = assets.find(({ id }) => wanted.has(id));
  if (nearest) {
    const next = new Map(assets.map(({ id, previous }) => [id, previous]));
    const path = [parent];
    for (let at: string | undefined = nearest.id; at !== undefined; at = next.get(at)) path.push(at);
    return { path: path.slice(0, mostShown), isWhole: path.length <= mostShown };
  }
  if (!truncated || !(await isBelow(trx, { parent, children }))) return undefined;
  return { path: [parent, await nearestAbove(trx, { parent, children })], isWhole: false };
}

async function isBelow(trx: OrganizationTransaction, { parent, children }: NewRelations): Promise<boolean> {
  const { rows } = await sql`
    with recursive below (id) as (
      select unnest(${children}::uuid[])
      union
      select next.id from below cross join lateral (
        select related_id as id from asset_relation
        where organization_id = current_organization() and asset_id = below.id offset 0
      ) next
    )
    select from below where id = ${parent} limit 1`.execute(trx);
  return rows.length > 0;
}

/** The first of the children that is found above their future parent. */
async function nearestAbove(
  trx: OrganizationTransaction,
  { parent, children }: NewRelations,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with recursive above (id) as (
      select ${parent}::uuid
      union
      select previous.id from above cross join lateral (
        select asset_id as id from asset_relation
        where organization_id = current_organization() and related_id = above.id offset 0
      ) previous
    )
    select id from above where id = any (${children}::uuid[]) limit 1`.execute(trx);
  return rows[0]?.id ?? parent;
}
