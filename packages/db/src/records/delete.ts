import { type RawBuilder, sql } from 'kysely';
import type { RecordTableName } from '../assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { holdAssets } from './lock-assets.ts';
import { lockFilesAndAssertions } from './lock-files.ts';
import { turnsOf } from './turns-of.ts';

interface Deletion {
  table: RecordTableName;
  /** Which, in terms of the row `r`. */
  where: RawBuilder<boolean>;
  by: string | null;
}

/** A record that went or came back. */
export interface NamedRecord {
  id: string;
  name: string;
}

/** Told of those that are gone, turn by turn; what it throws ends the deletion. */
type OnGone = (gone: readonly NamedRecord[]) => void;

/** Deletes as many as fit in a hand. @returns those that are gone */
export async function deleteRecords(
  trx: OrganizationTransaction,
  deletion: Deletion,
): Promise<NamedRecord[]> {
  const all: NamedRecord[] = [];
  await deleteInTurns(trx, deletion, (gone) => void all.push(...gone));
  return all;
}

/**
 * Deletes vulnerabilities or threats, however many, and keeps them, with their relations and assertions, where they
 * can be brought back from.
 */
export async function deleteInTurns(
  trx: OrganizationTransaction,
  { table, where, by }: Deletion,
  onGone: OnGone,
): Promise<void> {
  const from = sql.table(table);
  await holdAssets(trx);
  await lockFilesAndAssertions(
    trx,
    sql<{ id: string }>`
      select distinct said.file_id as id from report_record said
      where said.organization_id = current_organization() and said.kind = ${table}
        and said.${sql.ref(`${table}_id`)} in (select r.id from ${from} r where ${where})`,
  );
  const chosen = sql<NamedRecord>`
    select r.id, r.name from ${from} r where ${where} order by r.key, r.id for update`;
  for await (const turn of turnsOf(trx, chosen)) {
    const ids = turn.map((row) => row.id);
    await bin(trx, { table, ids, by });
    onGone(turn);
  }
}

async function bin(
  trx: OrganizationTransaction,
  { table, ids, by }: Pick<Deletion, 'table' | 'by'> & { ids: string[] },
): Promise<void> {
  const from = sql.table(table);
  const link = sql.ref(`${table}_id`);
  const gone = sql`r.organization_id = current_organization() and r.id = any (${ids}::uuid[])`;
  // Another extraction of the same reading makes a deleted record again, under its id: the last deletion counts.
  await sql`
    delete from deleted_record bin
    where bin.organization_id = current_organization() and bin.noun = ${table} and bin.id = any (${ids}::uuid[])`.execute(
    trx,
  );
  await sql`
    insert into deleted_record (organization_id, noun, id, data, links, deleted_by)
    select r.organization_id, ${table}, r.id, to_jsonb(r), jsonb_build_object(
        'assets', coalesce((
          select jsonb_agg(related.asset_id) from ${sql.table(`${table}_asset`)} related
          where related.organization_id = r.organization_id and related.${link} = r.id), '[]'),
        'files', coalesce((
          select jsonb_agg(said.file_id) from report_record said
          where said.organization_id = r.organization_id and said.${link} = r.id), '[]')), ${by}::uuid
    from ${from} r where ${gone}`.execute(trx);
  // In one statement: the files' counts are kept by the statement, and the foreign key would make one of every row.
  await sql`
    update report_record said set ${link} = null
    where said.organization_id = current_organization() and said.${link} = any (${ids}::uuid[])`.execute(trx);
  await sql`delete from ${from} r where ${gone}`.execute(trx);
}
