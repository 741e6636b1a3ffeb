import { sql } from 'kysely';
import { batchesOf } from '../rows-in-batches.ts';
import { assetSource } from '../lists/assets.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { bulkChanges } from './bulk-changes.ts';
import { changesRelations, relateRecords } from './relate-records.ts';
import { type FormerValues, newVersion, recordFormer, setColumns, wantedOf } from './set-columns.ts';
import type { BulkUpdate, OnBatch, UpdatedMany } from './update-many.ts';

/**
 * Sets the same values on many assets. Assets that have the requested values already keep their version. Threats and
 * vulnerabilities are related to all of them; that changes the versions of those records, not of the assets. A project
 * that the change names must exist.
 */
export async function updateAssets(
  trx: OrganizationTransaction,
  { where, change: { columns, relations }, by }: BulkUpdate,
  onBatch: OnBatch = () => undefined,
): Promise<UpdatedMany> {
  // The lock of all assets covers their rows.
  await lockAssets(trx);
  // The database writes the rows of related vulnerabilities (migration 0026).
  if (columns['criticality'] !== undefined) await lockAssertions(trx);
  const wanted = wantedOf('asset', columns);
  const related =
    relations && changesRelations(relations)
      ? await relateRecords(trx, { change: relations, by })
      : undefined;
  const former = new Map(wanted.map(({ field }) => [field, new Set<unknown>()]));
  let matched = 0;
  let changed = 0;
  const chosen = sql<{
    id: string;
  }>`select r.id from ${sql.raw(assetSource.from)} where ${where} order by r.id`;
  for await (const batch of batchesOf(trx, chosen)) {
    const rows = { table: 'asset', ids: batch.map(({ id }) => id), wanted } as const;
    await recordFormer(trx, rows, former);
    const set = await setColumns(trx, rows, newVersion(by));
    const moved = (await related?.relate(rows.ids)) ?? [];
    const all = [...new Set([...set, ...moved])];
    matched += batch.length;
    changed += all.length;
    onBatch(all, matched);
  }
  const logged = await withProjectNames(trx, {
    former,
    now: Object.fromEntries(wanted.map(({ field, value }) => [field, value])),
  });
  const moves = { former: logged.former, related: new Set<string>(), unrelated: new Set<string>() };
  const { records, changes } = (await related?.finish()) ?? { records: [], changes: {} };
  return {
    matched,
    changed,
    changes: { ...(await bulkChanges(trx, moves, logged.now)), ...changes },
    assets: [],
    records,
  };
}

interface Logged {
  former: FormerValues;
  now: Readonly<Record<string, unknown>>;
}

/** The log names projects, as it does for the edit of one asset. */
async function withProjectNames(
  trx: OrganizationTransaction,
  { former, now: { projectId, ...now } }: Logged,
): Promise<Logged> {
  if (projectId === undefined) return { former, now };
  const ids = [...(former.get('projectId') ?? [])];
  const known = await trx
    .selectFrom('project')
    .select(['id', 'name'])
    .where('id', 'in', [...ids, projectId] as string[])
    .execute();
  const names = new Map<unknown, string>(known.map(({ id, name }) => [id, name]));
  const nameOf = (id: unknown): unknown => names.get(id) ?? id;
  const others = [...former].filter(([field]) => field !== 'projectId');
  return {
    former: new Map([...others, ['project', new Set(ids.map(nameOf))]]),
    now: { ...now, project: nameOf(projectId) },
  };
}
