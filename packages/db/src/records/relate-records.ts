import type { Change } from '@riskboard/domain';
import { sql } from 'kysely';
import { lockAssertions } from '../locks/file-locks.ts';
import { manyRecordsLock } from '../locks/row-lock.ts';
import type { RecordTableName } from '../reports/assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { bulkChanges, namesOf } from './bulk-changes.ts';
import { addAssets, removeAssets } from './related-assets.ts';
import { setScoreContext } from './score-context.ts';
import { newVersion } from './set-columns.ts';
import { touchRelated } from './update-many.ts';

/** Vulnerabilities and threats by id. */
export interface RecordIds {
  threats: readonly string[];
  vulnerabilities: readonly string[];
}

/** What happens to the relations of some assets. */
export interface RelationChange {
  add: RecordIds;
  remove: RecordIds;
}

const tables = { threats: 'threat', vulnerabilities: 'vulnerability' } as const satisfies Record<
  keyof RecordIds,
  RecordTableName
>;
export const relatedNouns = ['threats', 'vulnerabilities'] as const satisfies readonly (keyof RecordIds)[];

/** Records of one noun whose relations changed. */
export interface RelatedRecords {
  noun: keyof RecordIds;
  table: RecordTableName;
  ids: string[];
  added: string[];
  removed: string[];
  /** Names of the assets, for the activity log of the records. */
  changes: Record<string, Change>;
}

export const changesRelations = ({ add, remove }: RelationChange): boolean =>
  relatedNouns.some((noun) => add[noun].length + remove[noun].length > 0);

/**
 * Locks the records that a change names, so that no record is deleted before it is related. Callers hold lockAssets.
 * @returns those that exist
 */
export async function lockRelated(trx: OrganizationTransaction, ids: RecordIds): Promise<RecordIds> {
  await lockAssertions(trx);
  const locked = async (noun: keyof RecordIds): Promise<string[]> => {
    if (ids[noun].length === 0) return [];
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(tables[noun])}
      where organization_id = current_organization() and id = any (${ids[noun]}::uuid[])
      order by id ${manyRecordsLock(trx, 'no key update')}`.execute(trx);
    return rows.map(({ id }) => id);
  };
  return { threats: await locked('threats'), vulnerabilities: await locked('vulnerabilities') };
}

interface Moved {
  added: Set<string>;
  removed: Set<string>;
  related: Set<string>;
  unrelated: Set<string>;
}

const nothing = (): Moved => ({
  added: new Set(),
  removed: new Set(),
  related: new Set(),
  unrelated: new Set(),
});

/**
 * Relates records to assets from the side of the assets, batch by batch. Each record gets one new version in all, and on
 * an imported record the relations count as edited, as when the record itself is edited. Records that do not exist are
 * ignored. Callers hold lockAssets.
 */
export async function relateRecords(
  trx: OrganizationTransaction,
  { change, by }: { change: RelationChange; by: string | null },
) {
  await setScoreContext(trx, { by });
  const add = await lockRelated(trx, change.add);
  const remove = await lockRelated(trx, change.remove);
  const moved = { threats: nothing(), vulnerabilities: nothing() };

  return {
    /** @returns ids of the assets whose relations changed */
    async relate(assets: readonly string[]): Promise<string[]> {
      const changed = new Set<string>();
      for (const noun of relatedNouns) {
        const table = tables[noun];
        const added = await addAssets(trx, { table, ids: add[noun], assets });
        const removed = await removeAssets(trx, { table, ids: remove[noun], assets });
        for (const id of added.records) moved[noun].added.add(id);
        for (const id of removed.records) moved[noun].removed.add(id);
        for (const id of added.assets) moved[noun].related.add(id);
        for (const id of removed.assets) moved[noun].unrelated.add(id);
        for (const id of [...added.assets, ...removed.assets]) changed.add(id);
      }
      return [...changed];
    },

    /** Writes the new versions of the records; after the last batch. */
    async finish(): Promise<{ records: RelatedRecords[]; changes: Record<string, Change> }> {
      const records: RelatedRecords[] = [];
      const changes: Record<string, Change> = {};
      for (const noun of relatedNouns) {
        const { added, removed, related, unrelated } = moved[noun];
        const ids = [...new Set([...added, ...removed])];
        if (ids.length === 0) continue;
        const table = tables[noun];
        await touchRelated(trx, { table, ids, version: newVersion(by) });
        records.push({
          noun,
          table,
          ids,
          added: [...added],
          removed: [...removed],
          changes: await bulkChanges(trx, { former: new Map(), related, unrelated }, {}),
        });
        const before = await namesOf(trx, table, removed);
        changes[noun] = { from: before, to: await namesOf(trx, table, added) };
      }
      return { records, changes };
    },
  };
}
