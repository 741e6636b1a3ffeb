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
  const { rows } = await sql<{ id: string; other: string }>`
    select trash.id, jsonb_array_elements_text(trash.links -> ${list}::text) as other from ${restored}`.execute(
    trx,
  );
  if (rows.length === 0) return;
  const linked = Map.groupBy(rows, ({ other }) => other);
  // Look-ups by the ids, not joins: the planner's last count of a table may be from before its rows were moved.
  const here = await sql<{ id: string }>`
    select id from ${sql.table(noun)}
    where organization_id = current_organization() and id = any (${[...linked.keys()]}::uuid[])`.execute(trx);
  for (const { id } of here.rows) linked.delete(id);
  if (linked.size === 0) return;
  const ids = Object.fromEntries([...linked].map(([other, ends]) => [other, ends.map(({ id }) => id)]));
  await sql`
    update deleted_record other
    set links = jsonb_set(other.links, array[${reverse}::text], (
      select jsonb_agg(distinct id) from (
        select jsonb_array_elements_text(other.links -> ${reverse}::text) as id
        union all select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb -> other.id::text)
      ) listed))
    where other.organization_id = current_organization() and other.noun = ${noun}
      and other.id = any (${[...linked.keys()]}::uuid[])`.execute(trx);
}
