import { type RawBuilder, sql } from 'kysely';
import type { RecordTableName } from '../reports/assertions.ts';
import { planForeignKeysAgain } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

// Callers hold lockAssets: no asset is deleted meanwhile, and the counts of assets change one after the other.

/** Those of these assets that do not exist in the organization. */
export async function missingAssets(trx: OrganizationTransaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select wanted.id from unnest(${ids}::uuid[]) wanted (id)
    where not exists (select from asset where organization_id = current_organization() and id = wanted.id)`.execute(
    trx,
  );
  return rows.map((row) => row.id);
}

/** The assets that any of these records is related to. */
export async function assetsOf(
  trx: OrganizationTransaction,
  { table, ids }: { table: RecordTableName; ids: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct asset_id as id from ${sql.table(`${table}_asset`)}
    where organization_id = current_organization() and ${sql.ref(`${table}_id`)} = any (${ids}::uuid[])`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}

interface Relations {
  table: RecordTableName;
  ids: readonly string[];
  assets: readonly string[];
}

/** The records and the assets whose relations changed. */
export interface ChangedRelations {
  records: string[];
  assets: string[];
}

const nothing: ChangedRelations = { records: [], assets: [] };

/** Runs `moved`, which writes relations, and aggregates: 1,000 assets of 1,000 records are a million relations. */
async function changedRelations(
  trx: OrganizationTransaction,
  moved: RawBuilder<unknown>,
): Promise<ChangedRelations> {
  const { rows } = await sql<ChangedRelations>`
    with moved (record, asset) as (${moved})
    select array(select distinct record from moved) as records, array(select distinct asset from moved) as assets`.execute(
    trx,
  );
  return rows[0] ?? nothing;
}

/** Relates each of these records to each of these assets; an asset that does not exist is ignored. */
export async function addAssets(
  trx: OrganizationTransaction,
  { table, ids, assets }: Relations,
): Promise<ChangedRelations> {
  if (ids.length === 0 || assets.length === 0) return nothing;
  const link = sql.ref(`${table}_id`);
  await planForeignKeysAgain(trx, ids.length * assets.length);
  return changedRelations(
    trx,
    sql`
    insert into ${sql.table(`${table}_asset`)} (organization_id, ${link}, asset_id)
    select asset.organization_id, record.id, asset.id
    from unnest(${ids}::uuid[]) record (id)
    join asset on asset.organization_id = current_organization() and asset.id = any (${assets}::uuid[])
    on conflict do nothing
    returning ${link}, asset_id`,
  );
}

/** Removes the relations between these records and these assets. */
export async function removeAssets(
  trx: OrganizationTransaction,
  { table, ids, assets }: Relations,
): Promise<ChangedRelations> {
  if (ids.length === 0 || assets.length === 0) return nothing;
  const link = sql.ref(`${table}_id`);
  return changedRelations(
    trx,
    sql`
    delete from ${sql.table(`${table}_asset`)}
    where organization_id = current_organization() and ${link} = any (${ids}::uuid[]) and asset_id = any (${assets}::uuid[])
    returning ${link}, asset_id`,
  );
}

/** Relates a record to exactly these assets. @returns whether that changed anything. */
export async function setAssets(
  trx: OrganizationTransaction,
  { table, id, assets }: { table: RecordTableName; id: string; assets: readonly string[] },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(`${table}_asset`)}
    where organization_id = current_organization() and ${sql.ref(`${table}_id`)} = ${id}
      and not asset_id = any (${assets}::uuid[])`.execute(trx);
  const added = await addAssets(trx, { table, ids: [id], assets });
  return Number(numAffectedRows ?? 0) > 0 || added.records.length > 0;
}
