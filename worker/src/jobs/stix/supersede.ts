import { joiningByHash, type OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import type { ReportSummary } from '../../stix/report-sink.ts';
import type { Reading } from './row-batch.ts';
import { stagedName } from './staged-table.ts';

const staged = sql.table(stagedName);

/** Why a version does not count: one with a later `modified` does, or the last one of those that have the same. */
const reason = sql`case when modified is not distinct from newer_modified then 'The same version of the object occurs again at '
  else 'A newer version of the same object is at ' end || newer_location`;

/**
 * Versions whose times do not decide. Of 2.x the last in the file counts (STIX mapping, section 2). STIX 1.x has no rule for
 * them: versions of equal times all count, the first one first, as do those without a time.
 */
const undecided = {
  json: { order: sql`ordinal desc`, isOld: sql`rank > 1` },
  xml: { order: sql`ordinal`, isOld: sql`modified < newest` },
};

/**
 * Several versions of one object: the greatest time counts, `modified` of 2.x and `timestamp` of 1.x. The older ones are
 * counted as superseded, with all their records.
 */
export const supersedeOldVersions = (media: ReportSummary['media']) => sql`
  with repeated as (
    select object_id from ${staged} where object_id is not null group by object_id having min(ordinal) <> max(ordinal)
  ), version as (
    select object_id, ordinal, max(modified) as modified, min(location) as location
    from ${staged} join repeated using (object_id) group by object_id, ordinal
  ), ranked as (
    select ordinal, modified, row_number() over versions as rank, first_value(modified) over versions as newest,
      first_value(location) over versions as newer_location
    from version
    window versions as (partition by object_id order by modified desc nulls last, ${undecided[media].order})
  ), old as (
    select ordinal, newest, newer_location from ranked where ${undecided[media].isOld}
  )
  update ${staged} staged set newer_location = old.newer_location, newer_modified = old.newest
  from old where staged.ordinal = old.ordinal`;

/** The first record of each object that has a newer version: its object is listed as superseded. */
const insertSuperseded = ({ fileId, id }: Reading) => sql`
  insert into report_object (organization_id, file_id, reading, ordinal, outcome, type, stix_id, location, reason)
  select distinct on (ordinal) current_organization(), ${fileId}, ${id}, ordinal, 'superseded', object_type, object_id, location,
    ${reason}
  from ${staged} where newer_location is not null order by ordinal, n`;

/** Removes what old versions of 1.x constructs relate. */
const removeOldRelations = ({ fileId, id }: Reading) => sql`
  delete from report_relation r using ${staged} staged
  where r.organization_id = current_organization() and r.file_id = ${fileId} and r.reading = ${id}
    and r.ordinal = staged.ordinal and staged.newer_location is not null`;

/**
 * Removes the older versions of relationships, by the same rule as objects with records. A version that is withdrawn or
 * relates no records has its place in the list of objects already. They are deleted by their place in the table: no statistics know these rows yet, and
 * the planner would compare each relationship with every other one.
 */
const supersedeRelations = ({ fileId, id }: Reading) => sql<{ type: string; count: number }>`
  with version as (
    select ctid as place, ordinal, stix_id, location, state = 'active' and type <> '' as is_relation, modified, row_number() over newest as rank,
      first_value(location) over newest as newer_location, first_value(modified) over newest as newer_modified
    from report_relation
    where organization_id = current_organization() and file_id = ${fileId} and reading = ${id} and stix_id is not null
    window newest as (partition by stix_id order by modified desc nulls last, ordinal desc)
  ), old as materialized (
    select * from version where rank > 1
  ), removed as (
    delete from report_relation where ctid = any (array(select place from old))
  ), listed as (
    insert into report_object (organization_id, file_id, reading, ordinal, outcome, type, stix_id, location, reason)
    select current_organization(), ${fileId}, ${id}, ordinal, 'superseded', 'relationship', stix_id, location,
      ${reason}
    from old where is_relation
    returning type
  )
  select type, count(*)::int as count from listed group by type`;

/** Lists the objects that have a newer version. @returns their number by type */
export async function saveSuperseded(
  trx: OrganizationTransaction,
  reading: Reading,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ type: string; count: number }>`
    with listed as (${insertSuperseded(reading)} returning type)
    select type, count(*)::int as count from listed group by type`.execute(trx);
  if (rows.length > 0) await joiningByHash(trx, () => removeOldRelations(reading).execute(trx));
  const relations = await supersedeRelations(reading).execute(trx);
  return new Map([...rows, ...relations.rows].map(({ type, count }) => [type, count]));
}
