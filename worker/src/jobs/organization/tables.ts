import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';

/** A table that holds rows of an organization, and its primary key without the organization's column. */
export interface OwnTable {
  name: string;
  key: { column: string; type: string }[];
}

/** No chain of references is longer; without a limit a cycle would never end. */
const maxHeight = 20;

/**
 * The tables with rows of an organization that its transactions may delete, referring tables before the tables that they
 * refer to. Read from the system catalogue, so that a new table is included without a change here. Tables without that
 * privilege, such as the activity log, are emptied by their foreign key when the organization's row is deleted.
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
      select f.referred, h.n + 1 from height h
      join (
        select conrelid as referring, confrelid as referred from pg_constraint where contype = 'f' and confrelid <> conrelid
        union all
        select referring::regclass, referred::regclass from record_references()
      ) f on f.referring = h.oid
      where h.n < ${maxHeight}
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
