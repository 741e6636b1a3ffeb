import { joiningByHash, type OrganizationTransaction } from '@riskboard/db';
import { formatCount, shortened } from '@riskboard/domain';
import { sql } from 'kysely';
import type { ReportWarning } from '../../stix/report-sink.ts';
import type { Reading } from './row-batch.ts';
import { stagedName } from './staged-table.ts';

const staged = sql.table(stagedName);

/** Objects of one file that are merged in one record: PostgreSQL holds all of them in memory, beyond its `work_mem`. */
const mostMerged = 1000;
/** Characters of the data of these objects. */
const mostMergedLength = 8 * 1024 * 1024;

const limit = `limits: ${formatCount(mostMerged)} objects, ${formatCount(mostMergedLength)} characters`;
const reason = `Too many objects of the file describe one record (${limit}); this one was left out`;

/** Characters of a key that a warning shows. */
const shownKey = 200;

/** Objects of a file that exceed the limits of one record. */
export interface LeftOut {
  /** Number of objects without another record, by type. */
  byType: ReadonlyMap<string, number>;
  warnings: ReportWarning[];
}

export const noneLeftOut: LeftOut = { byType: new Map(), warnings: [] };

/**
 * Marks the objects of each key of the table `shared` that exceed the limits: the active ones count first, in the order of
 * the file. Those without another record are listed as superseded.
 */
export async function leaveOut(trx: OrganizationTransaction, reading: Reading): Promise<LeftOut> {
  const warning = await mark(trx);
  return warning === undefined
    ? noneLeftOut
    : { byType: await listObjects(trx, reading), warnings: [warning] };
}

const isCrowded = sql`(objects > ${mostMerged} or length > ${mostMergedLength})`;

async function mark(trx: OrganizationTransaction): Promise<ReportWarning | undefined> {
  const { rows: crowded } = await sql`select from shared where ${isCrowded} limit 1`.execute(trx);
  if (crowded.length === 0) return undefined;
  const statement = sql<{ count: number; key: string; location: string }>`
    with crowded as materialized (select kind, key from shared where ${isCrowded}), ranked as (
      select n, row_number() over objects as rank, sum(length) over objects as length
      from ${staged} join crowded using (kind, key) where newer_location is null
      window objects as (partition by kind, key order by state <> 'active', ordinal, n rows unbounded preceding)
    ), marked as (
      update ${staged} staged set left_out = true from ranked
      where staged.n = ranked.n and (ranked.rank > ${mostMerged} or ranked.length > ${mostMergedLength})
      returning staged.n, staged.key, staged.location
    )
    select (select count(*)::int from marked) as count, key, location from marked order by n limit 1`;
  const { rows } = await joiningByHash(trx, () => statement.execute(trx));
  const [first] = rows;
  if (first === undefined) return undefined;
  const { count, key, location } = first;
  const message = `Too many objects describe one record (${limit}), such as ${shortened(key, shownKey)}; the others were left out.`;
  return { code: 'objects-left-out', message, location, count };
}

async function listObjects(
  trx: OrganizationTransaction,
  { fileId, id }: Reading,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ type: string; count: number }>`
    with listed as (
      insert into report_object (organization_id, file_id, reading, ordinal, outcome, type, stix_id, location, reason)
      select current_organization(), ${fileId}, ${id}, ordinal, 'superseded', min(object_type), min(object_id), min(location),
        ${reason}
      from ${staged} where newer_location is null group by ordinal having bool_and(left_out)
      returning type
    )
    select type, count(*)::int as count from listed group by type`.execute(trx);
  return new Map(rows.map(({ type, count }) => [type, count]));
}
