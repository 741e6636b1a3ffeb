import {
  joiningRows,
  manyRecordsLock,
  type OrganizationTransaction,
  type RecordTableName,
  refreshRecords,
  reportColumns,
  valuesTaken,
} from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';

/** A slice of a file's records of one kind, by key. */
export interface Batch {
  fileId: string;
  fileName: string;
  table: RecordTableName;
  after: string;
  upTo: string;
  /** Records in it. */
  size: number;
  /** Some records with keys of the file existed when the extraction locked what reports assert: no others appear since. */
  hasExisting: boolean;
}

export interface BatchCounts {
  created: number;
  updated: number;
  createdIds: string[];
}

/**
 * Locks the existing records of a file's keys before any row of the file is changed: a user who deletes one of them
 * locks it first and then updates the counts of the file.
 * @returns whether there are any
 */
export async function lockRecords(
  trx: OrganizationTransaction,
  fileId: string,
  table: RecordTableName,
): Promise<boolean> {
  const { rows } = await sql<{ exist: boolean }>`
    with locked as materialized (
      select from ${sql.table(table)} target
      where target.organization_id = current_organization() and target.key = any (array(
        select key from report_record r
        where r.organization_id = current_organization() and r.file_id = ${fileId} and r.kind = ${table}))
      order by target.key ${manyRecordsLock(trx, 'no key update')}
    )
    select count(*) > 0 as exist from locked`.execute(trx);
  return rows[0]?.exist === true;
}

/** `name = value` for every column: of the report, unless a person edited it. */
const takeUnlessEdited = (table: RecordTableName): RawBuilder<unknown> =>
  sql.join(
    Object.entries(
      valuesTaken(table, { record: 'target', reported: (column) => sql.ref(`excluded.${column}`) }),
    ).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
  );

/** The condition of the batch's rows `r` that give records. */
const isActive = (batch: Batch) => sql`
  r.organization_id = current_organization() and r.file_id = ${batch.fileId} and r.kind = ${batch.table}
    and r.state = 'active' and r.key > ${batch.after} and r.key <= ${batch.upTo}`;

/**
 * The batch's active records. `data` is decompressed once here: an expression makes it an inline value, which the
 * columns below do not decompress again. `offset 0` prevents the planner from merging the subquery.
 */
const activeRecords = (batch: Batch) => sql`(
  select r.organization_id, r.id, r.key, r.modified, r.name, r.type, r.data || '{}' as data from report_record r
  where ${isActive(batch)} ${batch.hasExisting ? isNewer(batch) : sql``}
  order by r.key offset 0)`;

/** Whether a known record has other values than it takes from the row `r`. */
const differs = (table: RecordTableName) => {
  const expressions = reportColumns[table];
  const reported = (column: string) => sql.raw(`(${expressions[column]})`);
  const fields = Object.entries(valuesTaken(table, { record: 'known', reported })).map(
    ([column, value]) => sql`known.${sql.ref(column)} is distinct from ${value}`,
  );
  return sql`(r.modified is distinct from known.source_modified or ${sql.join(fields, sql` or `)})`;
};

/**
 * Leaves out records that several objects describe, which are merged, and what the insert would not change: reading and locking those records again takes most of its time. A record takes
 * a newer version of what is known. It also takes the row of its own report, if that was read again since (the row then has
 * another id), no other report takes precedence, and a value differs; and any row when all its reports were deleted.
 */
const isNewer = ({ table, fileId }: Batch) => {
  const link = sql.ref(`${table}_id`);
  return sql`and not exists (
  select from ${sql.table(table)} known
  where known.organization_id = current_organization() and known.key = r.key
    and (${hasOthers({ table, fileId }, sql`known.id`)} or not (
      coalesce(r.modified > coalesce(known.source_modified, '-infinity'), false)
      or known.source_modified is null and known.source_file = '' and known.created_by is null
      or (r.${link} = known.id) is true and r.id <> known.id and known.withdrawn is null
        and ${differs(table)}
        and not exists (
          select from report_record other
          where other.organization_id = current_organization() and other.${link} = known.id and other.state = 'active'
            and other.file_id <> ${fileId}
            and (coalesce(other.modified, '-infinity'), r.file_id) > (coalesce(r.modified, '-infinity'), other.file_id)))))`;
};

/**
 * One statement: every active record of the batch becomes a vulnerability or threat, or updates the one of its key when
 * the report's `modified` is newer; fields that a user edited are kept. Returns what it changed.
 */
export const extractBatch = (trx: OrganizationTransaction, batch: Batch): Promise<BatchCounts> =>
  joiningRows(trx, { tables: ['report_record', batch.table], count: batch.size }, () =>
    saveBatch(trx, batch),
  );

async function saveBatch(trx: OrganizationTransaction, batch: Batch): Promise<BatchCounts> {
  // An insert that looks for no conflict takes an eighth less time.
  const counts = await (batch.hasExisting ? insertOrUpdate(trx, batch) : insertBatch(trx, batch, sql``));
  // Before the links: only rows that were linked by an earlier extraction have been read again.
  const reread = batch.hasExisting ? await idsOf(trx, readAgain(batch)) : [];
  if (counts.created === batch.size) await linkCreated(trx, batch);
  else {
    await link(trx, batch);
    // Records created by this statement already name this file.
    await nameNewestFile(trx, batch);
  }
  // A record that is new has no other object yet.
  const mayBeShared = batch.hasExisting && batch.table === 'vulnerability';
  const described = mayBeShared ? await idsOf(trx, describedTogether(batch)) : [];
  const merged = await refresh(trx, batch, [...new Set([...described, ...reread])]);
  await refresh(trx, batch, await idsOf(trx, withdrawnByOthers(batch)));
  return { ...counts, updated: counts.updated + merged };
}

const insertOrUpdate = (trx: OrganizationTransaction, batch: Batch): Promise<BatchCounts> =>
  insertBatch(
    trx,
    batch,
    sql`
      on conflict (organization_id, key) do update set
        ${takeUnlessEdited(batch.table)},
        source_modified = excluded.source_modified, withdrawn = null, updated_at = now(), updated_by = null, version = target.version + 1`,
  );

async function insertBatch(
  trx: OrganizationTransaction,
  batch: Batch,
  onConflict: RawBuilder<unknown>,
): Promise<BatchCounts> {
  const { table } = batch;
  const columns = reportColumns[table];
  const { rows } = await sql<BatchCounts>`
    with saved as (
      insert into ${sql.table(table)} as target (organization_id, id, key, source_file, source_modified, ${sql.raw(Object.keys(columns).join(', '))})
      select r.organization_id, r.id, r.key, ${batch.fileName}, r.modified, ${sql.raw(Object.values(columns).join(', '))}
      from ${activeRecords(batch)} r ${onConflict}
      returning id, (xmax = 0) as created
    )
    select
      count(*) filter (where created)::int as created,
      count(*) filter (where not created)::int as updated,
      coalesce((array_agg(id order by id) filter (where created))[1:1000], '{}') as "createdIds"
    from saved`.execute(trx);
  return rows[0] ?? { created: 0, updated: 0, createdIds: [] };
}

/** The same as {@link link} for a batch whose records are all new: each has the id of its row. */
async function linkCreated(trx: OrganizationTransaction, batch: Batch): Promise<void> {
  const column = sql.ref(`${batch.table}_id`);
  await sql`update report_record r set ${column} = r.id where ${isActive(batch)}`.execute(trx);
}

/** Stores that the file asserts the records: its rows refer to them. */
async function link(trx: OrganizationTransaction, batch: Batch): Promise<void> {
  const column = sql.ref(`${batch.table}_id`);
  const table = sql.table(batch.table);
  await sql`
    update report_record r set ${column} = target.id from ${table} target
    where ${isActive(batch)}
      and target.organization_id = r.organization_id and target.key = r.key and r.${column} is distinct from target.id`.execute(
    trx,
  );
}

/**
 * A record names the newest file that asserts it. By key, and newer files looked up once: statistics from before the
 * first extraction, when no row was linked, would make a join by the link quadratic.
 */
async function nameNewestFile(trx: OrganizationTransaction, batch: Batch): Promise<void> {
  const column = sql.ref(`${batch.table}_id`);
  const table = sql.table(batch.table);
  await sql`
    update ${table} target set source_file = ${batch.fileName}
    from report_record r
    where ${isActive(batch)}
      and target.organization_id = current_organization() and target.key = r.key and target.source_file <> ${batch.fileName}
      and not exists (
        select from report_record other
        where other.organization_id = current_organization() and other.${column} = target.id and other.file_id in (
          select newer.id from report_file newer
          where newer.organization_id = current_organization() and newer.uploaded_at > (
            select uploaded_at from report_file where organization_id = current_organization() and id = ${batch.fileId})))`.execute(
    trx,
  );
}

/**
 * Records of the batch of whose keys another report has rows that withdraw, which may have been extracted before. `is true`
 * makes a hash of those keys, where a join may compare each row of the batch with each of them.
 */
const withdrawnByOthers = (batch: Batch) => sql<{ id: string }>`
  select distinct r.${sql.ref(`${batch.table}_id`)} as id from report_record r
  where ${isActive(batch)} and (r.key in (
    select other.key from report_record other
    where other.organization_id = current_organization() and other.kind = ${batch.table} and other.state <> 'active'
      and other.key > ${batch.after} and other.key <= ${batch.upTo} and other.file_id <> ${batch.fileId})) is true`;

/** Vulnerabilities of the batch that several objects describe. */
const describedTogether = (batch: Batch) => sql<{ id: string }>`
  select r.vulnerability_id as id from report_record r
  where ${isActive(batch)} and ${hasOthers(batch, sql`r.vulnerability_id`)}`;

/**
 * Records of the batch whose row was read again since its extraction and says something else, and which other reports assert
 * too: one of those may take precedence now.
 */
const readAgain = (batch: Batch) => {
  const link = sql.ref(`${batch.table}_id`);
  return sql<{ id: string }>`
    select known.id from report_record r
    join ${sql.table(batch.table)} known on known.organization_id = current_organization() and known.id = r.${link}
    where ${isActive(batch)} and r.id <> known.id and ${differs(batch.table)} and exists (
      select from report_record other
      where other.organization_id = current_organization() and other.${link} = known.id and other.state = 'active'
        and other.file_id <> ${batch.fileId})`;
};

async function idsOf(trx: OrganizationTransaction, records: RawBuilder<{ id: string }>): Promise<string[]> {
  const { rows } = await records.execute(trx);
  return rows.map(({ id }) => id);
}

/** Updates records of the batch that differ from what all reports say. @returns how many */
const refresh = async (
  trx: OrganizationTransaction,
  { table }: Batch,
  ids: readonly string[],
): Promise<number> => (await refreshRecords(trx, { table, ids, activeOnly: true })).length;

/** Whether a record has rows of other reports that have another object than the row `r`: several may name one CVE. */
const hasOthers = ({ table, fileId }: Pick<Batch, 'table' | 'fileId'>, id: RawBuilder<unknown>) =>
  table === 'threat'
    ? sql`false`
    : sql`r.key like 'cve:%' and exists (
      select from report_record described
      where described.organization_id = current_organization() and described.vulnerability_id = ${id}
        and described.state = 'active' and described.file_id <> ${fileId}
        and (described.stix_id is null or described.stix_id is distinct from r.stix_id
          or described.objects is not null or r.objects is not null))`;
