import type { JobPayload } from '@riskboard/contract';
import {
  assetSource,
  deleteAssetsInTurns,
  deleteFiles,
  deleteInTurns,
  deleteProjectsInTurns,
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
import { type RawBuilder, sql } from 'kysely';
import { type Changed, type Line, summary, type Tally, tally } from './told.ts';

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

const records =
  (table: RecordTableName, many: string): Erasable['erase'] =>
  async (trx, { where, by, onDone }) => {
    const gone = tally();
    await deleteInTurns(trx, { table, where, by }, noteIn(gone, onDone));
    return {
      count: gone.count,
      gone: [{ type: `${table}.changed`, rows: gone.rows }],
      lines: summary(gone.count, [table, many]),
      cancelled: [],
    };
  };

/** Counts a turn, and says how far that is. */
const noteIn =
  (gone: Tally, onDone: Erasure['onDone'] = () => undefined) =>
  (turn: readonly { id: string }[]): void => {
    gone.add(turn.map(({ id }) => id));
    onDone(gone.count);
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
    async erase(trx, { where, by, onDone }) {
      await lockAssets(trx);
      const gone = tally();
      // The list's row is not the table's: it is looked for by its id.
      const chosen = sql<boolean>`r.id in (select r.id from ${sql.raw(assetSource.from)} where ${where})`;
      await deleteAssetsInTurns(trx, { where: chosen, by }, noteIn(gone, onDone));
      return {
        count: gone.count,
        gone: [{ type: 'asset.changed', rows: gone.rows }],
        lines: summary(gone.count, ['asset', 'assets']),
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
      const assets = tally();
      const projects = (await deleteProjectsInTurns(trx, { ids, by }, noteIn(assets))).map(({ id }) => id);
      return {
        count: projects.length,
        gone: [
          { type: 'project.changed', rows: projects },
          { type: 'asset.changed', rows: assets.rows },
        ],
        lines: summary(projects.length, ['project', 'projects'], { assets: assets.count }),
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
          { type: 'file.changed', rows: files.map(({ id }) => id) },
          { type: 'vulnerability.changed', rows: dropped.vulnerability },
          { type: 'threat.changed', rows: dropped.threat },
        ],
        // They cannot be brought back: each is told by its name.
        lines: files.map((file) => ({ nounId: file.id, name: file.name, detail: { ...file.dropped } })),
        cancelled,
      };
    },
  },
};
