import type { CwssStaleReason } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { ChangeCount, type ChangedRows } from '../changes.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

interface Staleness {
  reason: Extract<CwssStaleReason, 'vignette' | 'vignette-deleted' | 'catalogue'>;
  /** Only scores of this vignette; absent: all scores. */
  vignetteId?: string;
}

/** Scores that one statement marks: it takes some seconds on a busy machine, and statements are limited to 30 s. */
const markedAtOnce = 10_000;

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
  atOnce = markedAtOnce,
): Promise<ChangedRows> {
  await lockAssertions(trx);
  const ofVignette = vignetteId === undefined ? sql`true` : sql`v.cwss_vignette_id = ${vignetteId}`;
  const isConcerned = sql<boolean>`v.organization_id = current_organization() and v.cwss_score is not null and ${ofVignette}
    and not ${reason} = any (v.cwss_stale)`;
  const marked = new ChangeCount();
  for (const range of await rangesOf(trx, isConcerned, atOnce)) {
    const { rows } = await sql<{ count: number; ids: string[] | null }>`
      with marked as (
        update vulnerability v
        set cwss_stale = array_append(v.cwss_stale, ${reason}), cwss_inputs = v.cwss_inputs + 1
        where ${isConcerned} and ${range}
        returning v.id
      )
      select count(*)::int as count, (array_agg(id))[1:100] as ids from marked`.execute(trx);
    for (const { ids, count } of rows) marked.add(ids ?? [], count);
  }
  return marked.rows;
}

/** Conditions that divide rows by their ids: each applies to at most `atOnce` rows. */
async function rangesOf(
  trx: OrganizationTransaction,
  isConcerned: RawBuilder<boolean>,
  atOnce: number,
): Promise<RawBuilder<boolean>[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select v.id, row_number() over (order by v.id) as n from vulnerability v where ${isConcerned}
    ) numbered
    where n % ${atOnce}::integer = 0 order by id`.execute(trx);
  return [undefined, ...rows].map((row, at) => {
    const last = rows[at];
    const from = row ? sql<boolean>`v.id > ${row.id}::uuid` : sql<boolean>`true`;
    return last ? sql<boolean>`${from} and v.id <= ${last.id}::uuid` : from;
  });
}
