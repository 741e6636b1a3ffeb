import type { JobPayload } from '@riskboard/contract';
import {
  assetSource,
  deleteAssets,
  deleteFiles,
  deleteProjects,
  deleteRecords,
  idsOfAll,
  type JobRow,
  type ListSource,
  lockAssets,
  type OrganizationTransaction,
  projectSource,
  type RecordTableName,
  reportFileSource,
  threatSource,
  vulnerabilitySource,
} from '@riskboard/db';
import type { RawBuilder } from 'kysely';
import { type Changed, type Line, summary } from './told.ts';

/** What a deletion took. */
export interface Erased {
  /** Of the rows that were selected. */
  count: number;
  gone: Changed[];
  lines: Line[];
  /** Jobs that have nothing to work on any more; to be told after the commit. */
  cancelled: JobRow[];
}

export interface Erasure {
  /** Which, in terms of the row `r` of the list. */
  where: RawBuilder<boolean>;
  by: string | null;
  /** Told how many are done, where they go one by one; what it throws ends the deletion. */
  onDone: (done: number) => void;
}

interface Erasable {
  source: ListSource;
  /** Column that says when a row came. */
  since: string;
  /** What one is called in the names of the log's actions. */
  one: string;
  erase(trx: OrganizationTransaction, erasure: Erasure): Promise<Erased>;
}

const goneOf = (type: Changed['type'], rows: readonly { id: string }[]): Changed => ({
  type,
  count: rows.length,
  ids: rows.map(({ id }) => id),
});

const records =
  (table: RecordTableName, many: string): Erasable['erase'] =>
  async (trx, { where, by }) => {
    const rows = await deleteRecords(trx, { table, where, by });
    return {
      count: rows.length,
      gone: [goneOf(`${table}.changed`, rows)],
      lines: summary(rows.length, [table, many]),
      cancelled: [],
    };
  };

/** How the rows of each list are deleted. Assets are locked before they are looked for: none changes between the two. */
export const erasables: Readonly<Record<JobPayload<'records.delete'>['noun'], Erasable>> = {
  vulnerabilities: {
    source: vulnerabilitySource,
    since: 'r.created_at',
    one: 'vulnerability',
    erase: records('vulnerability', 'vulnerabilities'),
  },
  threats: {
    source: threatSource,
    since: 'r.created_at',
    one: 'threat',
    erase: records('threat', 'threats'),
  },
  assets: {
    source: assetSource,
    since: 'r.created_at',
    one: 'asset',
    async erase(trx, { where, by }) {
      await lockAssets(trx);
      const rows = await deleteAssets(trx, { ids: await idsOfAll(trx, assetSource, where), by });
      return {
        count: rows.length,
        gone: [goneOf('asset.changed', rows)],
        lines: summary(rows.length, ['asset', 'assets']),
        cancelled: [],
      };
    },
  },
  projects: {
    source: projectSource,
    since: 'r.created_at',
    one: 'project',
    async erase(trx, { where, by }) {
      await lockAssets(trx);
      const ids = await idsOfAll(trx, projectSource, where);
      const { projects, assets } = await deleteProjects(trx, { ids, by });
      return {
        count: projects.length,
        gone: [goneOf('project.changed', projects), goneOf('asset.changed', assets)],
        lines: summary(projects.length, ['project', 'projects'], { assets: assets.length }),
        cancelled: [],
      };
    },
  },
  reports: {
    source: reportFileSource,
    since: 'r.uploaded_at',
    one: 'report',
    async erase(trx, { where, onDone }) {
      const ids = await idsOfAll(trx, reportFileSource, where);
      const { files, dropped, cancelled } = await deleteFiles(trx, ids, onDone);
      return {
        count: files.length,
        gone: [
          goneOf('file.changed', files),
          { type: 'vulnerability.changed', count: dropped.vulnerability },
          { type: 'threat.changed', count: dropped.threat },
        ],
        // They cannot be brought back: each is told by its name.
        lines: files.map((file) => ({ nounId: file.id, name: file.name, detail: { ...file.dropped } })),
        cancelled,
      };
    },
  },
};
