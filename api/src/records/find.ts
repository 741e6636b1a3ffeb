import { entities, type Entity, type Related, relatedMax, relatedTextMax } from '@riskboard/contract';
import {
  missingAssets,
  type OrganizationTransaction,
  type RecordTableName,
  rowLock,
  shortenedText,
} from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import type { FullRecord, RecordRow } from './entity-rules.ts';

/** @throws Failure 404 */
export async function lockRecord(
  trx: OrganizationTransaction,
  table: RecordTableName,
  id: string,
): Promise<RecordRow> {
  const { rows } = await sql<RecordRow>`
    select r.* from ${sql.table(table)} r
    where r.organization_id = current_organization() and r.id = ${id}
    ${rowLock(trx, { name: 'record', id, mode: 'no key update' })}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Failure('not_found');
  return row;
}

/** SQL of the description of a related record. */
export const relatedDescription = (row: string) =>
  shortenedText(sql.ref(`${row}.description`), relatedTextMax);

/**
 * SQL of the first related assets by name, and of their number.
 * @param links SQL that selects the ids of the assets
 */
export const relatedAssetsOf = (links: RawBuilder<unknown>) => ({
  list: sql<Related[]>`coalesce((
    select jsonb_agg(jsonb_build_object('_id', a.id, 'name', a.name, 'description', ${relatedDescription('a')}) order by a.name, a.id)
    from (
      select a.id, a.name, a.description from (${links}) link (id)
      join asset a on a.organization_id = r.organization_id and a.id = link.id
      order by a.name, a.id limit ${sql.lit(relatedMax)}
    ) a), '[]')`,
  total: sql<number>`(select count(*)::int from (${links}) link)`,
});

/** @throws Failure 404 */
export async function findRecord(
  trx: OrganizationTransaction,
  table: RecordTableName,
  id: string,
): Promise<FullRecord> {
  const link = sql.ref(`${table}_id`);
  const relatedAssets = relatedAssetsOf(sql`
    select t.asset_id from ${sql.table(`${table}_asset`)} t
    where t.organization_id = r.organization_id and t.${link} = r.id`);
  const { rows } = await sql<
    RecordRow & { related: Related[]; total: number; imported: boolean; changer: string }
  >`
    select r.*,
      ${relatedAssets.list} as related, ${relatedAssets.total} as total,
      exists (select from report_record said where said.organization_id = r.organization_id and said.${link} = r.id) as imported,
      coalesce((select trim(c.first_name || ' ' || c.last_name) from account c where c.id = r.updated_by), '') as changer
    from ${sql.table(table)} r
    where r.organization_id = current_organization() and r.id = ${id}`.execute(trx);
  const [found] = rows;
  if (!found) throw new Failure('not_found');
  const { related, total, imported, changer, ...row } = found;
  return { row, relatedAssets: related, relatedAssetTotal: total, imported, updatedBy: changer };
}

/** How many ids a refusal names. */
const mostNamed = 10;

/** The refusal of a field that names records which do not exist, with their ids. */
export function missingRecords(
  path: string,
  missing: readonly string[],
  { one, many }: Pick<Entity, 'one' | 'many'>,
): { path: string; message: string } {
  const what = missing.length === 1 ? `This ${one} does not exist` : `These ${many} do not exist`;
  const named = missing.slice(0, mostNamed).join(', ');
  return { path, message: `${what}: ${named}${missing.length > mostNamed ? ', …' : '.'}` };
}

/**
 * Call it under the lock of the assets.
 * @throws Failure 422 on `field`, with the ids, when some of them are not assets of this organization
 */
export async function requireAssets(
  trx: OrganizationTransaction,
  ids: readonly string[] | undefined,
  field = 'relatedAssets',
): Promise<void> {
  if (ids === undefined) return;
  const missing = await missingAssets(trx, ids);
  if (missing.length === 0) return;
  throw new Failure('invalid', 'One of the related assets does not exist.', {
    details: [missingRecords(field, missing, entities.assets)],
  });
}
