import { readFile } from 'node:fs/promises';
import type { Migration, MigrationProvider } from 'kysely/migration';
import { applyFile, isConcurrent } from './concurrent-indexes.ts';

export { applyFile };

/**
 * All migrations, in order. Forward only: the SQL of a published file never changes. Rows in the trash
 * (`deleted_record`) keep the columns they had when they were deleted. A new column of a vulnerability, threat, asset or
 * project that is not null therefore keeps a default, and a renamed column is renamed in the trash too.
 *
 * Processes of the previous version run during the migrations. A file that they do not survive says so in its header, and
 * indexes of large tables are built concurrently, in a file of their own (packages/db/src/testing/migration-rules.test.ts).
 * After a new one, `pnpm -C packages/db fixture` writes rows of its schema for the upgrade tests.
 */
const files = [
  '0001-accounts',
  '0002-jobs',
  '0003-threats-and-vulnerabilities',
  '0004-reports',
  '0005-ingest',
  '0006-trust',
  '0007-desk',
  '0008-email-change',
  '0009-calendar-days',
  '0010-location',
  '0011-access',
  '0012-planner-statistics',
  '0013-search-by-organization',
  '0014-fair-queue',
  '0015-column-grants',
  '0016-rotated-secrets',
  '0017-unread-versions',
  '0018-default-sorts',
  '0019-removed-sessions',
  '0020-asset-scores',
  '0021-relation-walks',
  '0022-csv-imports',
  '0023-suggestions',
  '0024-scoring',
  '0025-starter-vignettes',
  '0026-cwss-staleness',
  '0027-cwss-recalculation',
  '0028-cwss-sort',
  '0029-activity-of-project',
  '0030-weakness-catalogue',
  '0031-overview-ledger',
  '0032-alerts',
  '0033-open-categories',
  '0034-report-schedules',
  '0035-overview-triggers',
  '0036-alert-subjects',
  '0037-backup-status',
  '0038-job-request',
  '0039-batches',
  '0040-schema-version',
  '0041-batch-retention',
  '0042-list-sorts',
  '0043-search-in-ranges',
  '0044-reader-version',
  '0045-counts-in-ranges',
  '0046-lists-of-one-file',
  '0047-batch-of-many-files',
  '0048-record-references',
  '0049-alike-rows',
  '0050-start-of-a-job',
  '0051-weaknesses-in-order',
  '0052-count-of-a-weakness',
  '0053-names-by-key',
  '0054-leakproof-sorts',
  '0055-last-import',
  '0056-links-in-the-trash',
  '0057-uncompressed-records',
  '0058-sorts-in-the-index-alone',
  '0059-rows-that-withdraw',
  '0060-relations-of-reports',
  '0061-objects-of-merged-rows',
  '0062-versions-of-relations',
  '0063-relations-by-id',
  '0064-deleted-alert-rules',
  '0065-relations-in-the-index-alone',
  '0066-scores-without-a-vulnerability',
  '0067-order-outside-batches',
  '0068-order-of-held-jobs',
  '0069-start-of-due-jobs',
  '0070-changes-of-many-rows',
  '0071-objects-in-groups',
  '0072-newest-files-of-a-batch',
  '0073-closing-days',
  '0074-failed-jobs',
  '0075-report-counters',
  '0076-superseded-records',
  '0077-withdrawn-objects',
  '0078-batches-being-received',
  '0079-jobs-due-at-once',
  '0080-created-with-counts',
  '0081-indexes-in-insertion-order',
  '0082-card-counters',
  '0083-sorts-of-jobs-and-files',
] as const;

const textOf = (name: string): Promise<string> => readFile(new URL(`${name}.sql`, import.meta.url), 'utf8');

const migration = (name: string): Migration => ({
  async up(db) {
    await applyFile(db, await textOf(name));
  },
});

export const migrations: MigrationProvider = {
  getMigrations: () => Promise.resolve(Object.fromEntries(files.map((name) => [name, migration(name)]))),
};

/** Migrations that run together in one transaction, or outside of one. */
export interface MigrationStep {
  /** Name of the last one. */
  last: string;
  isConcurrent: boolean;
}

/** The steps from these migrations, which are in order. */
export async function stepsOf(names: readonly string[]): Promise<MigrationStep[]> {
  const steps: MigrationStep[] = [];
  for (const last of names) {
    const step = { last, isConcurrent: isConcurrent(await textOf(last)) };
    if (steps.at(-1)?.isConcurrent === step.isConcurrent) steps.pop();
    steps.push(step);
  }
  return steps;
}
