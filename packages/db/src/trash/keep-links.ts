import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

interface Links {
  /** Rows `trash` of the trash that are being restored. */
  restored: RawBuilder<unknown>;
  /** Where these rows list the other ends. */
  list: string;
  /** Noun of the other ends. */
  noun: 'asset' | 'threat' | 'vulnerability';
  /** Where the other ends list such rows. */
  reverse: string;
}

/**
 * Notes links of restored rows to rows that are still in the trash with the latter, so that these have the links when
 * they are restored: a row that was deleted after the other end of a link no longer knew of it.
 */
export async function keepLinks(
  trx: OrganizationTransaction,
  { restored, list, noun, reverse }: Links,
): Promise<void> {
  // Each other end is looked up by its key (`offset 0`): the planner's last count of a table may be from before its rows
  // were moved.
  await sql`
    update deleted_record other
    set links = jsonb_set(other.links, array[${reverse}::text], (
      select jsonb_agg(distinct id) from (
        select jsonb_array_elements_text(other.links -> ${reverse}::text) as id union all select unnest(kept.ids)
      ) listed))
    from (
      select place.ctid, linked.ids
      from (
        select other, array_agg(id::text) as ids
        from (
          select trash.id, jsonb_array_elements_text(trash.links -> ${list}::text)::uuid as other from ${restored}
        ) link
        group by other
      ) linked
      cross join lateral (
        select trash.ctid from deleted_record trash
        where trash.organization_id = current_organization() and trash.noun = ${noun} and trash.id = linked.other
          and not exists (
            select from ${sql.table(noun)} here
            where here.organization_id = current_organization() and here.id = linked.other offset 0)
        offset 0
      ) place
    ) kept
    where other.organization_id = current_organization() and other.ctid = kept.ctid`.execute(trx);
}
