import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import type { Reading } from './row-batch.ts';
import { stagedName } from './staged-table.ts';

const staged = sql.table(stagedName);

/** Why a version does not count: one with a later `modified` does, or the last one of those that have the same. */
const reason = sql`case when modified is not distinct from newer_modified then 'The same version of the object occurs again at '
  else 'A newer version of the same object is at ' end || newer_location`;

/**
 * Several versions of one 2.x object: the greatest `modified` counts, among equals the last in the file
 * (STIX mapping, section 2). The others are counted as superseded. In 1.x one id may hold several records.
 */
export const supersedeOldVersions = sql`
  with repeated as (
    select stix_id from ${staged} where stix_id is not null group by stix_id having min(ordinal) <> max(ordinal)
  ), version as (
    select stix_id, ordinal, max(modified) as modified, min(location) as location
    from ${staged} join repeated using (stix_id) group by stix_id, ordinal
  ), ranked as (
    select ordinal, row_number() over newest as rank, first_value(location) over newest as newer_location,
      first_value(modified) over newest as newer_modified
    from version
    window newest as (partition by stix_id order by modified desc nulls last, ordinal desc)
  )
  update ${staged} staged set newer_location = ranked.newer_location, newer_modified = ranked.newer_modified
  from ranked where ranked.rank > 1 and staged.ordinal = ranked.ordinal`;

/** The first record of each object that has a newer version: its object is listed as superseded. */
const insertSuperseded = ({ fileId, id }: Reading) => sql`
  insert into report_object (organization_id, file_id, reading, ordinal, outcome, type, stix_id, location, reason)
  select distinct on (ordinal) current_organization(), ${fileId}, ${id}, ordinal, 'superseded', type, stix_id, location, ${reason}
  from ${staged} where newer_location is not null order by ordinal, n`;

/**
 * Removes the older versions of relationships, by the same rule as objects with records. A version that is withdrawn has its
 * place in the list of objects already.
 */
const supersedeRelations = ({ fileId, id }: Reading) => sql<{ type: string; count: number }>`
  with version as (
    select ordinal, n, stix_id, location, state, modified, row_number() over newest as rank,
      first_value(location) over newest as newer_location, first_value(modified) over newest as newer_modified
    from report_relation
    where organization_id = current_organization() and file_id = ${fileId} and reading = ${id} and stix_id is not null
    window newest as (partition by stix_id order by modified desc nulls last, ordinal desc)
  ), removed as (
    delete from report_relation r using version
    where r.organization_id = current_organization() and r.file_id = ${fileId} and r.reading = ${id}
      and r.ordinal = version.ordinal and r.n = version.n and version.rank > 1
    returning version.*
  ), listed as (
    insert into report_object (organization_id, file_id, reading, ordinal, outcome, type, stix_id, location, reason)
    select current_organization(), ${fileId}, ${id}, ordinal, 'superseded', 'relationship', stix_id, location,
      ${reason}
    from removed where state = 'active'
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
  const relations = await supersedeRelations(reading).execute(trx);
  return new Map([...rows, ...relations.rows].map(({ type, count }) => [type, count]));
}
