import { moveBatchChanges, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';

/** From this many changes on they are moved into the batch: reading its totals reads every one of them. */
const manyChanges = 200;

/** Moves the changes of batches that have many. Several workers may call it at once. @returns how many */
export async function moveChangesOfBatches(
  { database }: Pick<Deps, 'database'>,
  most = manyChanges,
): Promise<number> {
  const { rows } = await sql<{ organization_id: string; batch_id: string }>`
    select organization_id, batch_id from batch_change
    group by organization_id, batch_id having count(*) >= ${most} order by 1, 2`.execute(database.system);
  let moved = 0;
  for (const row of rows)
    moved += await withOrganization(database, row.organization_id, (trx) =>
      moveBatchChanges(trx, row.batch_id),
    );
  return moved;
}
