import {
  type ActivityAction,
  changedEvent,
  type JobPayload,
  type OrganizationEvent,
} from '@riskboard/contract';
import {
  assetSource,
  deleteAssetsInBatches,
  deleteFiles,
  deleteProjectsInBatches,
  deleteRecordsInBatches,
  idsOfAll,
  type DeletedRow,
  type JobRow,
  type ListSource,
  lockAssets,
  type OrganizationTransaction,
  projectSource,
  recordEvents,
  type RecordTableName,
  reportFileSource,
  threatSource,
  vulnerabilitySource,
} from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import type { ActivityEntry } from '../run/activity-entries.ts';
import { MovedRows } from './moved-rows.ts';

/** What a deletion changed. */
export interface Deleted {
  /** Number of selected rows that were deleted. */
  count: number;
  events: OrganizationEvent[];
  entries: ActivityEntry[];
  /** Jobs whose file was deleted. */
  cancelled: JobRow[];
}

export interface Deletion {
  /** A condition on the row `r` of the list. */
  where: RawBuilder<boolean>;
  by: string | null;
  /** Called with the number of deleted rows so far; throwing aborts the deletion. */
  onProgress: (done: number) => void;
  /** The job that deletes, and what must stop before its row is locked. */
  ownJob: { id: string; beforeLock: () => Promise<void> };
}

interface DeletableList {
  source: ListSource;
  action: Extract<ActivityAction, `${string}.deleted`>;
  delete(trx: OrganizationTransaction, deletion: Deletion): Promise<Deleted>;
}

/** Counts batches of deleted rows and reports the number so far. */
const countIn =
  (counted: MovedRows, onProgress: Deletion['onProgress'] = () => undefined) =>
  (batch: readonly DeletedRow[]): void => {
    counted.addRows(batch);
    onProgress(counted.count);
  };

const deletedEvent = (
  type: Parameters<typeof changedEvent>[0],
  by: string | null,
  { rows }: Pick<MovedRows, 'rows'>,
) => changedEvent(type, { action: 'deleted', by }, rows);

/** The event of assets whose relations changed; none when no asset did. */
export const assetEvents = (assets: readonly string[], by: string | null): OrganizationEvent[] =>
  assets.length === 0 ? [] : [changedEvent('asset.changed', { action: 'updated', by }, assets)];

const records =
  (table: RecordTableName, plural: string): DeletableList['delete'] =>
  async (trx, { where, by, onProgress }) => {
    const deleted = new MovedRows();
    const assets = await deleteRecordsInBatches(trx, { table, where, by }, countIn(deleted, onProgress));
    return {
      count: deleted.count,
      events: [deletedEvent(`${table}.changed`, by, deleted), ...assetEvents(assets, by)],
      entries: deleted.entry([table, plural]),
      cancelled: [],
    };
  };

/** How the rows of each list are deleted. Assets are locked before they are selected, so that both see the same. */
export const deletableLists: Readonly<Record<JobPayload<'records.delete'>['noun'], DeletableList>> = {
  vulnerabilities: {
    source: vulnerabilitySource,
    action: 'vulnerability.deleted',
    delete: records('vulnerability', 'vulnerabilities'),
  },
  threats: {
    source: threatSource,
    action: 'threat.deleted',
    delete: records('threat', 'threats'),
  },
  assets: {
    source: assetSource,
    action: 'asset.deleted',
    async delete(trx, { where, by, onProgress }) {
      await lockAssets(trx);
      const deleted = new MovedRows();
      // `where` is a condition on the row of the list, which joins several tables.
      const chosen = sql<boolean>`r.id in (select r.id from ${sql.raw(assetSource.from)} where ${where})`;
      await deleteAssetsInBatches(trx, { where: chosen, by }, countIn(deleted, onProgress));
      return {
        count: deleted.count,
        events: [deletedEvent('asset.changed', by, deleted)],
        entries: deleted.entry(['asset', 'assets']),
        cancelled: [],
      };
    },
  },
  projects: {
    source: projectSource,
    action: 'project.deleted',
    async delete(trx, { where, by }) {
      await lockAssets(trx);
      const ids = await idsOfAll(trx, projectSource, where);
      const [projects, assets] = [new MovedRows(), new MovedRows()];
      projects.addRows(await deleteProjectsInBatches(trx, { ids, by }, countIn(assets)));
      return {
        count: projects.count,
        events: [deletedEvent('project.changed', by, projects), deletedEvent('asset.changed', by, assets)],
        entries: projects.entry(['project', 'projects'], { assets: assets.count }),
        cancelled: [],
      };
    },
  },
  reports: {
    source: reportFileSource,
    action: 'report.deleted',
    async delete(trx, { where, by, onProgress, ownJob }) {
      const ids = await idsOfAll(trx, reportFileSource, where);
      const deletion = { ids, onProgress, ownJob };
      const { files, records: changes, cancelled } = await deleteFiles(trx, deletion);
      return {
        count: files.length,
        events: [
          deletedEvent('file.changed', by, { rows: files.map(({ id }) => id) }),
          ...recordEvents(changes, by),
        ],
        // Reports cannot be restored, so each has an entry with its name.
        entries: files.map((file) => ({
          nounId: file.id,
          name: file.name,
          detail: { ...file.dropped },
        })),
        cancelled,
      };
    },
  },
};
