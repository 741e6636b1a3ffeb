import { sql } from 'kysely';
import { newId } from '../new-id.ts';
import { relate } from '../records/asset-relations.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** A relation by the positions of its assets: the first depends on the second. */
export type Link = readonly [from: number, to: number];

/** Creates assets with these relations. @returns their ids, by position */
export async function makeGraph(
  trx: OrganizationTransaction,
  count: number,
  links: readonly Link[],
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  const projectId = newId();
  await sql`insert into project (organization_id, id, name, start_date)
    values (current_organization(), ${projectId}, 'p', '2026-01-01')`.execute(trx);
  await sql`insert into asset (organization_id, id, project_id, name, asset_type_id)
    select current_organization(), id, ${projectId}, 'a', 1 from unnest(${ids}::uuid[]) id`.execute(trx);
  await relate(
    trx,
    links.map(([from, to]) => ({ from: ids[from] ?? '', to: ids[to] ?? '' })),
  );
  return ids;
}
