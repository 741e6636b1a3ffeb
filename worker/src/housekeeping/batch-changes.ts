import { moveBatchChanges, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { countEachOrganization } from './each-organization.ts';
import type { RoundDeps } from './steps.ts';

/** From this many changes on they are moved into the batch: reading its totals reads every one of them. */
const manyChanges = 200;

/**
 * Moves the changes of batches that have many, or of which no file is queued or running. Several workers may call it at once.
 * @returns how many
 */
export async function moveChangesOfBatches(
  deps: Pick<Deps, 'database'> & RoundDeps,
  most = manyChanges,
): Promise<number> {
  const { rows } = await sql<{ id: string; batch: string }>`
    select organization_id as id, batch_id as batch from batch_change c
    group by organization_id, batch_id
    having count(*) >= ${most} or not exists (
      select from batch_file f
      where f.organization_id = c.organization_id and f.batch_id = c.batch_id and f.state in ('queued', 'running')
    )
    order by 1, 2`.execute(deps.database.system);
  return countEachOrganization(deps, { rows, failure: 'changes of a batch not moved' }, ({ id, batch }) =>
    withOrganization(deps.database, id, (trx) => moveBatchChanges(trx, batch)),
  );
}
