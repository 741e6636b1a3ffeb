import { deleteBatch, isOldBatch, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';

/** Batches that one round deletes; the next one continues. */
const mostPerRound = 100;

/**
 * Deletes batches with the rows of their files. Reports, records and jobs stay.
 * @param days since the last file was received or ended, or the batch was closed or cancelled; a batch with a file that
 *   has not ended stays
 * @returns how many
 */
export async function deleteOldBatches(
  { database }: Pick<Deps, 'database'>,
  { days }: { days: number },
): Promise<number> {
  const before = new Date(Date.now() - days * 86_400_000);
  const { rows } = await sql<{ organization_id: string; id: string }>`
    select b.organization_id, b.id from batch b
    where ${isOldBatch(before)}
    order by b.created_at limit ${mostPerRound}`.execute(database.system);
  let deleted = 0;
  for (const { organization_id: organizationId, id } of rows)
    if (await withOrganization(database, organizationId, (trx) => deleteBatch(trx, { id, before })))
      deleted += 1;
  return deleted;
}
