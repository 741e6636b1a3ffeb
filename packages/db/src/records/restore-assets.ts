import { type Relation, withoutCycles } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { relate, relationsBelow } from './asset-relations.ts';
import type { Gone } from './delete-assets.ts';
import { keptRow } from './kept-row.ts';
import { lockAssets } from './lock-assets.ts';

/** What lies in the bin of one noun, by id. */
const bin = (noun: 'asset' | 'project', ids: readonly string[]): RawBuilder<unknown> => sql`
  deleted_record bin where bin.organization_id = current_organization() and bin.noun = ${noun}
    and bin.id = any (${ids}::uuid[])`;

/**
 * Brings deleted assets back as they were, with those relations whose other end is still there and that close no
 * circle with what was related meanwhile. One whose project is gone stays deleted.
 */
export async function restoreAssets(trx: OrganizationTransaction, ids: readonly string[]): Promise<Gone[]> {
  await lockAssets(trx);
  const kept = await keptRow(trx, 'asset');
  const { rows } = await sql<Gone>`
    insert into asset (${kept.columns})
    select ${kept.values} from (select bin.data from ${bin('asset', ids)}) was
    cross join lateral ${kept.of('was.data')}
    join project on project.organization_id = restored.organization_id and project.id = restored.project_id
    on conflict do nothing
    returning id, name`.execute(trx);
  const back = rows.map((row) => row.id);
  if (back.length === 0) return rows;
  await restoreRecordLinks(trx, 'threat', back);
  await restoreRecordLinks(trx, 'vulnerability', back);
  const wanted = await formerRelations(trx, back);
  const existing = await relationsBelow(
    trx,
    wanted.map(({ to }) => to),
  );
  await relate(trx, withoutCycles(existing, wanted));
  await sql`delete from ${bin('asset', back)}`.execute(trx);
  return rows;
}

async function restoreRecordLinks(
  trx: OrganizationTransaction,
  table: 'threat' | 'vulnerability',
  ids: readonly string[],
): Promise<void> {
  const key = table === 'threat' ? 'threats' : 'vulnerabilities';
  await sql`
    insert into ${sql.table(`${table}_asset`)} (organization_id, ${sql.ref(`${table}_id`)}, asset_id)
    select record.organization_id, record.id, was.id
    from (select bin.id, jsonb_array_elements_text(bin.links -> ${key})::uuid as record_id from ${bin('asset', ids)}) was
    join ${sql.table(table)} record on record.organization_id = current_organization() and record.id = was.record_id
    on conflict do nothing`.execute(trx);
}

/** How these assets hung together with others that are there. */
async function formerRelations(trx: OrganizationTransaction, ids: readonly string[]): Promise<Relation[]> {
  const { rows } = await sql<Relation>`
    select was."from", was."to" from (
      select bin.id as "from", jsonb_array_elements_text(bin.links -> 'children')::uuid as "to" from ${bin('asset', ids)}
      union
      select jsonb_array_elements_text(bin.links -> 'parents')::uuid, bin.id from ${bin('asset', ids)}
    ) was
    join asset above on above.organization_id = current_organization() and above.id = was."from"
    join asset below on below.organization_id = current_organization() and below.id = was."to"
    order by was."from", was."to"`.execute(trx);
  return rows;
}

/** Brings deleted projects back, with the assets that went with them and are not back already. */
export async function restoreProjects(
  trx: OrganizationTransaction,
  ids: readonly string[],
): Promise<{ projects: Gone[]; assets: Gone[] }> {
  await lockAssets(trx);
  const kept = await keptRow(trx, 'project');
  const { rows: projects } = await sql<Gone>`
    insert into project (${kept.columns})
    select ${kept.values} from (select bin.data from ${bin('project', ids)}) was
    cross join lateral ${kept.of('was.data')}
    on conflict do nothing
    returning id, name`.execute(trx);
  const back = projects.map((project) => project.id);
  const { rows: went } = await sql<{ id: string }>`
    select jsonb_array_elements_text(bin.links -> 'assets')::uuid as id from ${bin('project', back)}`.execute(
    trx,
  );
  const assets = await restoreAssets(
    trx,
    went.map((asset) => asset.id),
  );
  await sql`delete from ${bin('project', back)}`.execute(trx);
  return { projects, assets };
}
