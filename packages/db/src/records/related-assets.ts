import { type RawBuilder, sql } from 'kysely';
import type { RecordTableName } from '../assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

// Whoever ties or unties holds the assets (holdAssets), so that none goes in between.

/** Those of these assets that do not exist here. */
export async function missingAssets(trx: OrganizationTransaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select wanted.id from unnest(${ids}::uuid[]) wanted (id)
    where not exists (select from asset where organization_id = current_organization() and id = wanted.id)`.execute(
    trx,
  );
  return rows.map((row) => row.id);
}

interface Ties {
  table: RecordTableName;
  ids: readonly string[];
  assets: readonly string[];
}

/** Which records were tied or untied, and which assets. */
export interface Retied {
  records: string[];
  assets: string[];
}

const nothing: Retied = { records: [], assets: [] };

/** What `moved`, a statement that writes ties, moved. A thousand assets of thousands of records make millions of ties. */
async function retied(trx: OrganizationTransaction, moved: RawBuilder<unknown>): Promise<Retied> {
  const { rows } = await sql<Retied>`
    with moved (record, asset) as (${moved})
    select array(select distinct record from moved) as records, array(select distinct asset from moved) as assets`.execute(
    trx,
  );
  return rows[0] ?? nothing;
}

/** Ties each of these records to each of these assets; an asset that is not there is passed over. */
export async function addAssets(trx: OrganizationTransaction, { table, ids, assets }: Ties): Promise<Retied> {
  if (ids.length === 0 || assets.length === 0) return nothing;
  const link = sql.ref(`${table}_id`);
  return retied(
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

/** Unties each of these records from each of these assets. */
export async function removeAssets(
  trx: OrganizationTransaction,
  { table, ids, assets }: Ties,
): Promise<Retied> {
  if (ids.length === 0 || assets.length === 0) return nothing;
  const link = sql.ref(`${table}_id`);
  return retied(
    trx,
    sql`
    delete from ${sql.table(`${table}_asset`)}
    where organization_id = current_organization() and ${link} = any (${ids}::uuid[]) and asset_id = any (${assets}::uuid[])
    returning ${link}, asset_id`,
  );
}

/** Ties a record to exactly these assets. @returns whether that changed anything. */
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
