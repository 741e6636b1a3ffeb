import { idsShown, type ImportNoun } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { ChangeCount } from '../changes.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { manyRecordsLock } from '../locks/row-lock.ts';
import { refreshRecords } from '../reports/reported-values.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { cyclesOf, existingAssets, linkOf, relatedNow } from './relations.ts';
import { keepRows, rowsWith } from './report-rows.ts';
import { enteredColumns, tableOf } from './write-columns.ts';

interface Restoring {
  noun: ImportNoun;
  importId: string;
  by: string | null;
}

/** Whether a column still has the value that the import wrote. */
const isAsWritten = (name: string): RawBuilder<boolean> =>
  sql<boolean>`(w.written ? ${sql.lit(name)}
    and coalesce(to_jsonb(${sql.ref(`r.${name}`)}), 'null') = w.written -> ${sql.lit(name)})`;

const isFormer = (name: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(to_jsonb(${sql.ref(`r.${name}`)}), 'null') = w.former -> ${sql.lit(name)}`;

/** A project that was deleted since cannot be the project of an asset again. */
const isPossible = (name: string): RawBuilder<boolean> =>
  name === 'project_id'
    ? sql<boolean>`exists (
        select from project where organization_id = current_organization() and id = (w.former ->> 'project_id')::uuid)`
    : sql<boolean>`true`;

/** The table `undoing`: which columns of each updated record get their former values, and which were changed since. */
async function planRestoring(trx: OrganizationTransaction, undo: Restoring): Promise<void> {
  const columns = enteredColumns(undo.noun);
  const restored = columns.map(
    ({ name }) => sql`case when ${isAsWritten(name)} and ${isPossible(name)} then ${name}::text end`,
  );
  const kept = columns.map(
    ({ name, label }) => sql`case when w.written ? ${sql.lit(name)} and not ${isFormer(name)}
      and not (${isAsWritten(name)} and ${isPossible(name)}) then ${label}::text end`,
  );
  await sql`
    create temporary table undoing on commit drop as
    select w.line, w.record_id, r.id is null as is_deleted,
      array_remove(array[${sql.join(restored)}], null) as restored,
      array_remove(array[${sql.join(kept)}], null) as kept,
      w.written_related is not null and r.id is not null and related.now = ${existingAssets(sql`w.written_related`)} as relations,
      w.written_related is not null and r.id is not null and related.now <> ${existingAssets(sql`w.written_related`)}
        and related.now <> ${existingAssets(sql`w.former_related`)} as keeps_relations
    from csv_import_row w
    left join ${sql.table(tableOf(undo))} r on r.organization_id = w.organization_id and r.id = w.record_id
    left join lateral (select ${relatedNow(undo)} as now) related on w.written_related is not null
    where w.organization_id = current_organization() and w.import_id = ${undo.importId} and w.action = 'updated'`.execute(
    trx,
  );
  await sql`create unique index on undoing (line)`.execute(trx);
  await sql`analyze undoing`.execute(trx);
}

/** The former relations that are made again: to assets that still exist. */
const formerRelations = (importId: string): RawBuilder<unknown> => sql`
  select w.record_id as "from", a.id as "to", w.line
  from csv_import_row w
  join undoing u on u.line = w.line and u.relations
  join asset a on a.organization_id = w.organization_id and a.id = any (w.former_related)
  where w.organization_id = current_organization() and w.import_id = ${importId}`;

/** Relations that close a cycle with those of others made since the import are not made again. */
async function keepCycles(trx: OrganizationTransaction, importId: string): Promise<void> {
  const future = sql`
    ${formerRelations(importId)}
    union all
    select r.asset_id, r.related_id, 0 from asset_relation r
    where r.organization_id = current_organization()
      and not exists (select from undoing u where u.relations and u.record_id = r.asset_id)`;
  for (;;) {
    const cycles = await cyclesOf(trx, future);
    if (cycles.length === 0) return;
    await sql`
      update undoing set relations = false, keeps_relations = true
      where line = any (${cycles.map(({ line }) => line)}::integer[])`.execute(trx);
  }
}

/** @returns the ids of the assets at the end of a relation that was removed or made again */
async function restoreRelations(trx: OrganizationTransaction, undo: Restoring): Promise<string[]> {
  const { table, owner, asset } = linkOf(undo);
  if (undo.noun === 'assets') await keepCycles(trx, undo.importId);
  const removed = await sql<{ id: string }>`
    with removed as (
      delete from ${table} l using undoing u
      where l.organization_id = current_organization() and l.${owner} = u.record_id and u.relations
      returning l.${asset} as id
    )
    select distinct id from removed`.execute(trx);
  const restored = await sql<{ id: string }>`
    with restored as (
      insert into ${table} (organization_id, ${owner}, ${asset})
      select current_organization(), "from", "to" from (${formerRelations(undo.importId)}) wanted
      on conflict do nothing
      returning ${asset} as id
    )
    select distinct id from restored`.execute(trx);
  return [...removed.rows, ...restored.rows].map(({ id }) => id);
}

/** Whether a report has the record `r`, also one that withdraws it. */
const isReported = sql`exists (
    select from report_record s where s.organization_id = current_organization() and s.vulnerability_id = r.id)`;

/**
 * Edited fields of a record that reports bring: a restored field is as it was, others that the import set stay edited. All stay
 * where the reports were deleted since, which left the record because of these edits: nothing would delete it later.
 */
const editedFields = sql`
  edited_fields = case when r.key is null or not ${isReported} then r.edited_fields else array(
    select name from unnest(r.edited_fields) name
    where not (name = any (u.restored) or u.relations and name = 'related_assets'
        or name like 'cvss\\_%' and u.restored && array['cvss_vector', 'cvss_score', 'cvss_version']
          and not u.kept && array['CVSS', 'CVSS vector', 'CVSS version'])
      or w.former -> 'edited_fields' ? name
    order by 1) end,`;

async function restoreColumns(trx: OrganizationTransaction, undo: Restoring): Promise<void> {
  const table = tableOf(undo);
  const sets = enteredColumns(undo.noun).map(
    ({ name }) =>
      sql`${sql.ref(name)} = case when ${name} = any (u.restored) then ${sql.ref(`f.${name}`)} else ${sql.ref(`r.${name}`)} end,`,
  );
  await sql`
    update ${sql.table(table)} r set ${sql.join(sets, sql` `)}
      ${undo.noun === 'vulnerabilities' ? editedFields : sql``}
      version = r.version + 1, updated_at = now(), updated_by = ${undo.by}::uuid
    from undoing u
    join csv_import_row w on w.organization_id = current_organization() and w.import_id = ${undo.importId} and w.line = u.line
    cross join lateral jsonb_populate_record(null::${sql.table(table)}, w.former) f
    where r.organization_id = current_organization() and r.id = u.record_id
      and (cardinality(u.restored) > 0 or u.relations)`.execute(trx);
}

/** Fields that no longer count as edited have what the reports say now: a newer one may have been extracted since. */
async function followReports(trx: OrganizationTransaction, undo: Restoring): Promise<void> {
  if (undo.noun !== 'vulnerabilities') return;
  const { rows } = await sql<{ id: string }>`
    select r.id from undoing u
    join vulnerability r on r.organization_id = current_organization() and r.id = u.record_id and r.key is not null
    where cardinality(u.restored) > 0`.execute(trx);
  await refreshRecords(trx, { table: 'vulnerability', ids: rows.map(({ id }) => id) });
}

/** Gives updated records their former values, field by field, unless someone changed them since. */
export async function restoreUpdated(
  trx: OrganizationTransaction,
  undo: Restoring,
): Promise<{ restored: ChangeCount; relatedAssets: string[] }> {
  // The criticality of an asset writes the rows of related vulnerabilities (migration 0026).
  await lockAssertions(trx);
  if (undo.noun === 'vulnerabilities')
    await sql`
      select r.id from vulnerability r
      where r.organization_id = current_organization()
        and r.id in (select w.record_id from ${rowsWith(undo.importId, 'updated')})
      ${manyRecordsLock(trx, 'no key update')}`.execute(trx);
  await planRestoring(trx, undo);
  const ends = await restoreRelations(trx, undo);
  await restoreColumns(trx, undo);
  await followReports(trx, undo);
  await keepRows(
    trx,
    undo.importId,
    sql`
    select line, case when is_deleted then 'Deleted since the import.' else 'Changed since the import: '
      || array_to_string(kept || case when keeps_relations then array['Related assets'] else '{}' end, ', ') || '.' end as problem
    from undoing where is_deleted or keeps_relations or cardinality(kept) > 0`,
  );
  const { rows } = await sql<{ n: number; ids: string[] }>`
    with changed as (
      select record_id from undoing where not is_deleted and (cardinality(restored) > 0 or relations)
    )
    select (select count(*)::int from changed) as n, array(select record_id from changed limit ${idsShown}) as ids`.execute(
    trx,
  );
  const restored = new ChangeCount();
  for (const { ids, n } of rows) restored.add(ids, n);
  return { restored, relatedAssets: undo.noun === 'vulnerabilities' ? ends : [] };
}
