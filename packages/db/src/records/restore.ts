import { sql } from 'kysely';
import { lockAssertions, type RecordTableName } from '../assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/**
 * Brings deleted vulnerabilities or threats back as they were, with those relations and assertions whose other end is
 * still there. One whose key has been extracted anew meanwhile stays deleted. @returns the ids that are back.
 */
export async function restoreRecords(
  trx: OrganizationTransaction,
  table: RecordTableName,
  ids: string[],
): Promise<string[]> {
  await lockAssertions(trx);
  const link = sql.ref(`${table}_id`);
  const { rows } = await sql<{ id: string }>`
    insert into ${sql.table(table)}
    select restored.* from deleted_record bin
    cross join lateral jsonb_populate_record(null::${sql.table(table)}, bin.data) restored
    where bin.organization_id = current_organization() and bin.noun = ${table} and bin.id = any (${ids}::uuid[])
    on conflict do nothing
    returning id`.execute(trx);
  const back = rows.map((row) => row.id);
  if (back.length === 0) return back;
  const bin = sql`
    deleted_record bin where bin.organization_id = current_organization() and bin.noun = ${table}
      and bin.id = any (${back}::uuid[])`;
  await sql`
    insert into ${sql.table(`${table}_asset`)} (organization_id, ${link}, asset_id)
    select asset.organization_id, was.id, asset.id
    from (select bin.id, jsonb_array_elements_text(bin.links -> 'assets')::uuid as asset_id from ${bin}) was
    join asset on asset.organization_id = current_organization() and asset.id = was.asset_id
    on conflict do nothing`.execute(trx);
  await sql`
    update report_record said set ${link} = record.id
    from (select bin.id, jsonb_array_elements_text(bin.links -> 'files')::uuid as file_id from ${bin}) was
    join ${sql.table(table)} record on record.organization_id = current_organization() and record.id = was.id
    where said.organization_id = current_organization() and said.file_id = was.file_id and said.kind = ${table}
      and said.key = record.key and said.${link} is null`.execute(trx);
  await sql`delete from ${bin}`.execute(trx);
  return back;
}
