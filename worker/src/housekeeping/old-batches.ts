import { deleteBatch, isOldBatch, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { eachOrganization } from './each-organization.ts';
import type { RoundDeps } from './steps.ts';

/** Batches that one round deletes; the next one continues. */
const mostPerRound = 100;

/**
 * Deletes batches with the rows of their files. Reports, records and jobs stay.
 * @param days since the last file was received or ended, or the batch was closed or cancelled; a batch with a file that
 *   has not ended stays, and one without a file is deleted after a day
 * @returns how many
 */
export async function deleteOldBatches(
  deps: Pick<Deps, 'database'> & RoundDeps,
  { days }: { days: number },
): Promise<number> {
  const { rows } = await sql<{ id: string; batch: string }>`
    select b.organization_id as id, b.id as batch from batch b
    where ${isOldBatch(days)}
    order by b.created_at limit ${mostPerRound}`.execute(deps.database.system);
  const deleted = await eachOrganization(deps, { rows, failure: 'old batch not deleted' }, ({ id, batch }) =>
    withOrganization(deps.database, id, (trx) => deleteBatch(trx, { id: batch, days })),
  );
  return deleted.filter(Boolean).length;
}
