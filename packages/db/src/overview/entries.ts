import { sql } from 'kysely';
import { lockOverview } from '../locks/overview-lock.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/**
 * Moves the committed entries into the rows of their day and into the totals, so that reading stays fast. Entries of
 * transactions that are still open stay for the next call: rows are moved by deleting them, not up to an id, because a
 * smaller id may be committed later. Reading sees either all moved entries or none of them, because all happens in one
 * statement. @returns the number of moved entries
 */
export async function moveEntries(trx: OrganizationTransaction): Promise<number> {
  await lockOverview(trx);
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      delete from overview_entry where organization_id = current_organization()
      returning day, measure, bucket, cause, count, sum
    ), days as (
      insert into overview_day as known (organization_id, day, measure, bucket, cause, count, sum)
      select current_organization(), day, measure, bucket, cause, sum(count), sum(sum) from moved
      group by day, measure, bucket, cause
      on conflict (organization_id, day, measure, bucket, cause) do update
        set count = known.count + excluded.count, sum = known.sum + excluded.sum
    ), totals as (
      insert into overview_total as known (organization_id, measure, bucket, count, sum)
      select current_organization(), measure, bucket, sum(count), sum(sum) from moved
      group by measure, bucket
      on conflict (organization_id, measure, bucket) do update
        set count = known.count + excluded.count, sum = known.sum + excluded.sum
    )
    select count(*)::integer as moved from moved`.execute(trx);
  await sql`
    delete from overview_total where organization_id = current_organization() and count = 0 and sum = 0`.execute(
    trx,
  );
  return rows[0]?.moved ?? 0;
}
