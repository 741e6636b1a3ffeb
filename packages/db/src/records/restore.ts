import { sql } from 'kysely';
import type { RecordTableName } from '../assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { NamedRecord } from './delete.ts';
import { keptRow } from './kept-row.ts';
import { holdAssets } from './lock-assets.ts';
import { lockFilesAndAssertions } from './lock-files.ts';

/**
 * Brings deleted vulnerabilities or threats back as they were, with those relations and assertions whose other end is
 * still there. One whose key has been extracted anew meanwhile stays deleted. @returns those that are back
 */
export async function restoreRecords(
  trx: OrganizationTransaction,
  table: RecordTableName,
  ids: string[],
): Promise<NamedRecord[]> {
  const binOf = (wanted: string[]) => sql`
    deleted_record bin where bin.organization_id = current_organization() and bin.noun = ${table}
      and bin.id = any (${wanted}::uuid[])`;
  await holdAssets(trx);
  await lockFilesAndAssertions(
    trx,
    sql<{
      id: string;
    }>`select distinct jsonb_array_elements_text(bin.links -> 'files')::uuid as id from ${binOf(ids)}`,
  );
  const kept = await keptRow(trx, table);
  const { rows } = await sql<NamedRecord>`
    insert into ${sql.table(table)} (${kept.columns})
    select ${kept.values} from (select bin.data from ${binOf(ids)}) gone
    cross join lateral ${kept.of('gone.data')}
    on conflict do nothing
    returning id, name`.execute(trx);
  const back = rows.map((row) => row.id);
  if (back.length === 0) return rows;
  await tieToAssets(trx, table, binOf(back));
  await assertAgain(trx, table, binOf(back));
  await nameFile(trx, table, back);
  await sql`delete from ${binOf(back)}`.execute(trx);
  return rows;
}

type Bin = ReturnType<typeof sql>;

async function tieToAssets(trx: OrganizationTransaction, table: RecordTableName, bin: Bin): Promise<void> {
  await sql`
    insert into ${sql.table(`${table}_asset`)} (organization_id, ${sql.ref(`${table}_id`)}, asset_id)
    select asset.organization_id, was.id, asset.id
    from (select bin.id, jsonb_array_elements_text(bin.links -> 'assets')::uuid as asset_id from ${bin}) was
    join asset on asset.organization_id = current_organization() and asset.id = was.asset_id`.execute(trx);
}

/** Whatever of it the file still says: a replaced one may have dropped or withdrawn it. */
async function assertAgain(trx: OrganizationTransaction, table: RecordTableName, bin: Bin): Promise<void> {
  const link = sql.ref(`${table}_id`);
  await sql`
    update report_record said set ${link} = record.id
    from (select bin.id, jsonb_array_elements_text(bin.links -> 'files')::uuid as file_id from ${bin}) was
    join ${sql.table(table)} record on record.organization_id = current_organization() and record.id = was.id
    where said.organization_id = current_organization() and said.file_id = was.file_id and said.kind = ${table}
      and said.key = record.key and said.state = 'active'`.execute(trx);
}

/** Files may have gone, come or changed their names since. */
async function nameFile(trx: OrganizationTransaction, table: RecordTableName, ids: string[]): Promise<void> {
  await sql`
    update ${sql.table(table)} record set source_file = coalesce((
      select file.name from report_record said
      join report_file file on file.organization_id = said.organization_id and file.id = said.file_id
      where said.organization_id = current_organization() and said.${sql.ref(`${table}_id`)} = record.id
      order by file.uploaded_at desc, file.id desc limit 1), '')
    where record.organization_id = current_organization() and record.id = any (${ids}::uuid[])
      and record.key is not null`.execute(trx);
}
