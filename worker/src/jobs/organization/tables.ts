import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';

/** A table that holds rows of an organisation, and its primary key beside the organisation. */
export interface OwnTable {
  name: string;
  key: { column: string; type: string }[];
}

/** Longer chains of foreign keys there are none; a circle would never end. */
const mostHeight = 20;

/**
 * The tables of an organisation that its transactions may delete from, whatever refers to others before these. Asked of
 * the catalogue, so that a table that is added tomorrow is emptied too. What may not be deleted from, as the activity
 * log, goes with the organisation's row by its foreign key.
 */
export async function ownTables(trx: OrganizationTransaction): Promise<OwnTable[]> {
  const { rows } = await sql<OwnTable>`
    with recursive own as (
      select c.oid, c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
        and has_table_privilege(c.oid, 'delete')
    ), height (oid, n) as (
      select oid, 0 from own
      union
      select f.confrelid, h.n + 1 from height h
      join pg_constraint f on f.conrelid = h.oid and f.contype = 'f' and f.confrelid <> f.conrelid
      where h.n < ${mostHeight}
    )
    select o.relname as name, (
      select coalesce(jsonb_agg(
        jsonb_build_object('column', a.attname, 'type', format_type(a.atttypid, null)) order by k.position), '[]')
      from pg_index i
      cross join lateral unnest(i.indkey) with ordinality k (number, position)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
      where i.indrelid = o.oid and i.indisprimary and a.attname <> 'organization_id'
    ) as key
    from own o
    join height h using (oid)
    group by o.oid, o.relname
    order by max(h.n), o.relname`.execute(trx);
  return rows;
}
