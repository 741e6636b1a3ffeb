import type { CwssStaleReason } from '@riskboard/contract';
import { sql } from 'kysely';
import { ChangeCount, type ChangedRows } from '../changes.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

interface Staleness {
  reason: Extract<CwssStaleReason, 'vignette' | 'vignette-deleted' | 'catalogue'>;
  /** Only scores of this vignette; absent: all scores. */
  vignetteId?: string;
}

/**
 * Marks scores as stale in the transaction of the change. Database triggers do it for changes of vulnerabilities, their
 * relations and assets (migration 0026). Scores that have the reason already stay as they are. The version of a
 * vulnerability does not change, so that an edit which began earlier is not stale.
 *
 * A calculation saves its scores under the same lock: it either sees the change or its scores are marked here.
 * @returns the marked vulnerabilities, for the event `vulnerability.changed`
 */
export async function markStale(
  trx: OrganizationTransaction,
  { reason, vignetteId }: Staleness,
): Promise<ChangedRows> {
  await lockAssertions(trx);
  const ofVignette = vignetteId === undefined ? sql`true` : sql`v.cwss_vignette_id = ${vignetteId}`;
  const { rows } = await sql<{ count: number; ids: string[] }>`
    with marked as (
      update vulnerability v
      set cwss_stale = array_append(v.cwss_stale, ${reason}), cwss_inputs = v.cwss_inputs + 1
      where v.organization_id = current_organization() and v.cwss_score is not null and ${ofVignette}
        and not ${reason} = any (v.cwss_stale)
      returning v.id
    )
    select count(*)::int as count, (array_agg(id))[1:100] as ids from marked`.execute(trx);
  const marked = new ChangeCount();
  for (const { ids, count } of rows) marked.add(ids ?? [], count);
  return marked.rows;
}
