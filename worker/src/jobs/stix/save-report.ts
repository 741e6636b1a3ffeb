import {
  dropOrphans,
  lockAssertions,
  mergedData,
  mergedName,
  noRecordChanges,
  type OrganizationTransaction,
  type RecordChanges,
  type RecordTableName,
  recordsSharingObjects,
  recordTables,
  refreshRecords,
  withdrawnObjects,
} from '@riskboard/db';
import { shortened } from '@riskboard/domain';
import { sql } from 'kysely';
import type { ReportSummary, ReportWarning } from '../../stix/report-sink.ts';
import { type LeftOut, leaveOut, noneLeftOut } from './left-out.ts';
import type { Reading } from './row-batch.ts';
import { stagedName } from './staged-table.ts';
import { saveSuperseded, supersedeOldVersions } from './supersede.ts';

/** What the database counted while saving. */
export interface SavedCounts {
  vulnerabilityRecords: number;
  threatRecords: number;
  revoked: number;
  deprecated: number;
  superseded: number;
}

export interface SavedReport {
  counts: SavedCounts;
  /** Number of superseded objects. */
  supersededByType: ReadonlyMap<string, number>;
  /** Records that the report no longer contains. */
  records: RecordChanges;
  /** Findings about the report as a whole. */
  warnings: ReportWarning[];
}

const staged = sql.table(stagedName);

/** Keys that several objects of the file share: few, and only they need merging. */
const sharedKeys = sql`from ${staged} where newer_location is null group by kind, key having count(*) > 1`;

const recordColumns = sql.raw(`organization_id, file_id, id, kind, key, ordinal, type, stix_id, source_ids,
  stix_version, modified, state, location, name, data, vulnerability_id, threat_id`);

interface SavedFile {
  reading: Reading;
  /** Another reading of the file has been saved before: the table `carried` has the links of its records. */
  readBefore: boolean;
  media: ReportSummary['media'];
  stixVersion: string | null;
}

/** Links of a record that an earlier reading had extracted; also where this one withdraws it: the record stays, withdrawn. */
const linksOf = ({ readBefore }: SavedFile) =>
  readBefore ? sql`carried.vulnerability_id, carried.threat_id` : sql`null::uuid, null::uuid`;
const joinLinks = ({ readBefore }: SavedFile, records: 's' | 'merged') => {
  const r = sql.ref(records);
  return readBefore ? sql`left join carried on carried.kind = ${r}.kind and carried.key = ${r}.key` : sql``;
};

const notShared = sql`and not exists (select from shared where shared.kind = s.kind and shared.key = s.key)`;
const insertSingle = (file: SavedFile, { hasShared }: { hasShared: boolean }) => sql`
  insert into report_record (${recordColumns})
  select current_organization(), ${file.reading.fileId}, s.id, s.kind, s.key, s.ordinal, s.type, s.stix_id,
    array_remove(array[s.stix_id], null), coalesce(s.stix_version, ${file.stixVersion}), s.modified, s.state, s.location,
    s.name, s.data, ${linksOf(file)}
  from ${staged} s ${joinLinks(file, 's')}
  where s.newer_location is null ${hasShared ? notShared : sql``}`;

/** The ids of merged objects, each once: versions of 1.x that all count have the same. */
const allSourceIds = sql`case when count(data->'sourceIds') = 0 then '{}' else jsonb_build_object('sourceIds', (
  select jsonb_agg(id order by first) from (
    select id, min(n) as first
    from jsonb_path_query_array(jsonb_agg(data->'sourceIds' order by rank), '$[*][*]') ids,
      jsonb_array_elements(ids) with ordinality listed(id, n)
    group by id
  ) once)) end`;

/** The objects of the rows `ranked` that are one record, with the order in which they count; null when there is only one. */
const objectsOfRecord = sql`
  select kind, key, case when count(*) > 1 then jsonb_agg(jsonb_build_object('stixId', stix_id, 'modified', modified,
    'state', state, 'ordinal', ordinal, 'location', location, 'name', name, 'type', type, 'data', data) order by rank) end as objects
  from (
    select kind, key, stix_id, min(rank) as rank, max(modified) as modified,
      (array_agg(state order by rank))[1] as state,
      (array_agg(ordinal order by rank))[1] as ordinal,
      (array_agg(location order by rank))[1] as location,
      ${mergedName(sql`rank`)} as name,
      (array_agg(type order by rank))[1] as type,
      ${mergedData(sql`rank`)} as data
    from ranked group by kind, key, stix_id, case when stix_id is null then rank end
  ) object
  group by kind, key`;

/**
 * Objects of one file that are one record: the first non-empty value of each field, every source id, and what each object
 * says. Versions of one construct of 1.x that all count take the position of the first of them, the newest version first.
 */
const insertMerged = (file: SavedFile) => sql`
  insert into report_record (${recordColumns}, objects)
  with ranked as materialized (
    select *, row_number() over (partition by kind, key order by first_version, modified desc nulls last, ordinal, n) as rank
    from (
      select staged.*, bool_or(state = 'active') over (partition by kind, key) as any_active,
        min(ordinal) over (partition by kind, key, coalesce(stix_id, ordinal::text)) as first_version
      from ${staged} staged join shared using (kind, key) where newer_location is null and not left_out
    ) every
  )
  select current_organization(), ${file.reading.fileId}, merged.id, merged.kind, merged.key, merged.ordinal, merged.type, merged.stix_id,
    merged.source_ids, coalesce(merged.stix_version, ${file.stixVersion}), merged.modified, merged.state, merged.location,
    merged.name, merged.data, ${linksOf(file)}, described.objects
  from (
    select kind, key,
      (array_agg(id order by rank))[1] as id,
      (array_agg(ordinal order by rank))[1] as ordinal,
      (array_agg(type order by rank))[1] as type,
      (array_agg(stix_id order by rank))[1] as stix_id,
      array(
        select id from unnest(array_agg(stix_id order by rank)) with ordinality listed(id, n)
        where id is not null group by id order by min(n)) as source_ids,
      (array_agg(stix_version order by rank))[1] as stix_version,
      max(modified) as modified,
      (array_agg(state order by rank))[1] as state,
      (array_agg(location order by rank))[1] as location,
      ${mergedName(sql`rank`)} as name,
      ${mergedData(sql`rank`)} || ${allSourceIds} as data
    from ranked
    where state = 'active' or not any_active
    group by kind, key
  ) merged join (${objectsOfRecord}) described using (kind, key) ${joinLinks(file, 'merged')}`;

/**
 * Replaces the results of an earlier reading of the file, and counts the new ones. Records that were extracted before
 * stay asserted; those that the report no longer contains are deleted, unless another file asserts them or a user
 * created or edited them.
 */
export async function saveReport(trx: OrganizationTransaction, file: SavedFile): Promise<SavedReport> {
  await sql`analyze ${staged} (ordinal, stix_id, object_id, kind, key)`.execute(trx);
  await supersedeOldVersions(file.media).execute(trx);
  if (file.readBefore) {
    await carryLinks(trx, file.reading);
    await dropEarlier(trx, file.reading);
  }
  const leftOut = await insertRecords(trx, file);
  const records = noRecordChanges();
  if (file.readBefore)
    for (const table of recordTables) {
      const dropping = { fileId: file.reading.fileId, table, records };
      await dropUnasserted(trx, dropping);
      await endWithdrawals(trx, dropping);
      await endVersions(trx, dropping);
    }
  const supersededByType = addCounts(await saveSuperseded(trx, file.reading), leftOut.byType);
  const superseded = [...supersededByType.values()].reduce((sum, count) => sum + count, 0);
  const counts = await countRecords(trx, file.reading.fileId);
  const warnings = [...leftOut.warnings, ...(await missingEnds(trx, file.reading))];
  return { counts: { ...counts, superseded }, supersededByType, records, warnings };
}

/** Characters of an id that a warning shows. */
const shownId = 200;

/**
 * Warns about ends of relationships for which the report has no record: another report may have it, so the relationship
 * is kept. `except` does not compare every pair, as a join of tables without statistics does.
 */
async function missingEnds(trx: OrganizationTransaction, { fileId, id }: Reading): Promise<ReportWarning[]> {
  const { rows } = await sql<{ count: number; first: string | null }>`
    with relation as materialized (
      select source_id, target_id from report_relation
      where organization_id = current_organization() and file_id = ${fileId} and reading = ${id} and state = 'active' and type <> ''
    ), missing as (
      (select source_id as id from relation union select target_id from relation)
      except select stix_id from ${staged} where exists (select from relation)
    )
    select count(*)::int as count, min(id) as first from missing`.execute(trx);
  const [{ count, first } = { count: 0, first: null }] = rows;
  if (first === null) return [];
  const message = `A relationship refers to a threat or vulnerability for which this report has no record, such as ${shortened(first, shownId)}; the relationship is kept.`;
  return [{ code: 'relationship-end-missing', message, count }];
}

/**
 * Most files have no shared keys, and a temporary table costs more than the records of a small report: keys are looked for
 * a second time where there are some.
 * @returns the objects that exceed the limits of one record
 */
async function insertRecords(trx: OrganizationTransaction, file: SavedFile): Promise<LeftOut> {
  const { rows } = await sql<{ found: boolean }>`select exists (select ${sharedKeys}) as found`.execute(trx);
  const hasShared = rows[0]?.found === true;
  if (hasShared)
    await sql`
      create temporary table shared on commit drop as
      select kind, key, count(*) as objects, sum(length) as length ${sharedKeys}`.execute(trx);
  await insertSingle(file, { hasShared }).execute(trx);
  if (!hasShared) return noneLeftOut;
  const leftOut = await leaveOut(trx, file.reading);
  await insertMerged(file).execute(trx);
  return leftOut;
}

function addCounts(
  counts: ReadonlyMap<string, number>,
  added: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const sums = new Map(counts);
  for (const [type, count] of added) sums.set(type, (sums.get(type) ?? 0) + count);
  return sums;
}

/** Keeps the links of the records of an earlier reading and the keys that it withdrew, whose rows are deleted next. */
const carryLinks = (trx: OrganizationTransaction, { fileId }: Reading) =>
  sql`
    create temporary table carried on commit drop as
    select kind, key, vulnerability_id, threat_id, state, source_ids from report_record
    where organization_id = current_organization() and file_id = ${fileId}
      and (vulnerability_id is not null or threat_id is not null or state <> 'active')`.execute(trx);

async function dropEarlier(trx: OrganizationTransaction, { fileId, id }: Reading): Promise<void> {
  await trx.deleteFrom('report_record').where('file_id', '=', fileId).execute();
  for (const table of ['report_object', 'report_object_group', 'report_relation'] as const)
    await trx.deleteFrom(table).where('file_id', '=', fileId).where('reading', '<>', id).execute();
}

interface Dropping {
  fileId: string;
  table: RecordTableName;
  /** What this changes is added to it. */
  records: RecordChanges;
}

/** Records that the earlier reading asserted and this one does not name. */
async function dropUnasserted(
  trx: OrganizationTransaction,
  { fileId, table, records }: Dropping,
): Promise<void> {
  const link = sql.ref(`${table}_id`);
  const { rows } = await sql<{ id: string }>`
    select carried.${link} as id from carried
    where carried.${link} is not null and not exists (
      select from report_record r
      where r.organization_id = current_organization() and r.file_id = ${fileId} and r.kind = carried.kind
        and r.key = carried.key)`.execute(trx);
  if (rows.length === 0) return;
  await lockAssertions(trx);
  await dropOrphans(trx, { table, ids: rows.map((row) => row.id), changes: records[table] });
}

/** Records with an object that the earlier reading withdrew and this one does not follow the reports of now. */
async function endWithdrawals(
  trx: OrganizationTransaction,
  { fileId, table, records }: Dropping,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select record.id from carried
    join ${sql.table(table)} record on record.organization_id = current_organization() and record.key = carried.key
    where carried.kind = ${table} and carried.state <> 'active' and not exists (
      select from report_record r
      where r.organization_id = current_organization() and r.file_id = ${fileId} and r.kind = carried.kind
        and r.key = carried.key and r.state <> 'active' and r.source_ids @> carried.source_ids)`.execute(trx);
  const changed = await refreshRecords(trx, { table, ids: rows.map(({ id }) => id) });
  records[table].updated.add(changed);
}

/**
 * Records with an object that the earlier reading has under another key, and that this one no longer has under that key, follow
 * the reports of now.
 */
async function endVersions(
  trx: OrganizationTransaction,
  { fileId, table, records }: Dropping,
): Promise<void> {
  // `except` does not compare every pair, as a join of tables without statistics does.
  const objects = sql`
    select stix_id, key, null::uuid as id from (
      select key, unnest(source_ids) as stix_id from carried where kind = ${table}
      except
      select key, unnest(source_ids) from report_record
      where organization_id = current_organization() and file_id = ${fileId} and kind = ${table}
    ) ended`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${objects}) object`.execute(trx);
  const count = rows[0]?.count ?? 0;
  const { others } = await recordsSharingObjects(trx, { table, objects, count, files: [fileId] });
  if (others.length === 0) return;
  await lockAssertions(trx);
  records[table].updated.add(await refreshRecords(trx, { table, ids: others }));
}

async function countRecords(
  trx: OrganizationTransaction,
  fileId: string,
): Promise<Omit<SavedCounts, 'superseded'>> {
  const { rows } = await sql<Omit<SavedCounts, 'superseded'>>`
    select
      count(*) filter (where state = 'active' and kind = 'vulnerability')::int as "vulnerabilityRecords",
      count(*) filter (where state = 'active' and kind = 'threat')::int as "threatRecords",
      count(*) filter (where state = 'revoked')::int as revoked,
      count(*) filter (where state = 'deprecated')::int as deprecated
    from (
      select state, kind from report_record
      where organization_id = current_organization() and file_id = ${fileId} and state = 'active'
      union all
      select state, kind from ${sql.raw(withdrawnObjects)} withdrawn
      where organization_id = current_organization() and file_id = ${fileId}
    ) counted`.execute(trx);
  return rows[0] ?? { vulnerabilityRecords: 0, threatRecords: 0, revoked: 0, deprecated: 0 };
}
