import { type RawBuilder, sql } from 'kysely';
import { lockAssertions, type RecordTableName } from '../assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

interface Deletion {
  table: RecordTableName;
  /** Which, in terms of the row `r`. */
  where: RawBuilder<boolean>;
  by: string | null;
}

/**
 * Deletes vulnerabilities or threats and keeps them, with their relations and assertions, where they can be brought
 * back from. @returns their ids.
 */
export async function deleteRecords(
  trx: OrganizationTransaction,
  { table, where, by }: Deletion,
): Promise<string[]> {
  // What a file asserts is counted in the file's row: whoever changes it takes turns with extractions and deletions.
  await lockAssertions(trx);
  const from = sql.table(table);
  const link = sql.ref(`${table}_id`);
  const { rows } = await sql<{ id: string }>`
    select r.id from ${from} r where ${where} order by r.id for update`.execute(trx);
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return ids;
  await sql`
    insert into deleted_record (organization_id, noun, id, data, links, deleted_by)
    select r.organization_id, ${table}, r.id, to_jsonb(r), jsonb_build_object(
        'assets', coalesce((
          select jsonb_agg(related.asset_id) from ${sql.table(`${table}_asset`)} related
          where related.organization_id = r.organization_id and related.${link} = r.id), '[]'),
        'files', coalesce((
          select jsonb_agg(said.file_id) from report_record said
          where said.organization_id = r.organization_id and said.${link} = r.id), '[]')), ${by}::uuid
    from ${from} r where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])
    on conflict (organization_id, noun, id) do update
      set data = excluded.data, links = excluded.links, deleted_by = excluded.deleted_by, deleted_at = now()`.execute(
    trx,
  );
  await sql`delete from ${from} r where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])`.execute(
    trx,
  );
  return ids;
}
