import { sql, type Kysely } from 'kysely';
import { catalogueVersion, readCatalogue } from './catalogue.ts';

/**
 * Loads MITRE's catalogue into its table, once per version of the catalogue; entries of an older catalogue or the CWE REST
 * API are replaced. One statement, so that the table is never incomplete. Several processes may call it at once: rows are
 * written in the order of their ids, and the second process has nothing to change. A migration that changes the format of
 * entries must empty the table.
 */
export async function loadCatalogue(db: Kysely<unknown>): Promise<void> {
  const version = await catalogueVersion();
  const { rows } = await sql<{ loaded: boolean }>`
    select exists (select from cwe where source = ${version}) as loaded`.execute(db);
  if (rows[0]?.loaded) return;
  const entries = JSON.stringify(await readCatalogue());
  await sql`
    insert into cwe (id, name, data, source)
    select id, data->>'Name', data - 'Name', ${version}
    from jsonb_to_recordset(${entries}::jsonb) as entry (id integer, data jsonb)
    order by id
    on conflict (id) do update
      set name = excluded.name, data = excluded.data, source = excluded.source, fetched_at = now()
      where cwe.source <> excluded.source`.execute(db);
}
