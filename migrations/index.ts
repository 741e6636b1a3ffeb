import { readFile } from 'node:fs/promises';
import type { Migration, MigrationProvider } from 'kysely/migration';
import { sql } from 'kysely';

/**
 * All migrations, in order. Forward only: the SQL of a published file never changes. Rows in the trash
 * (`deleted_record`) keep the columns they had when they were deleted. A new column of a vulnerability, threat, asset or
 * project that is not null therefore keeps a default, and a renamed column is renamed in the trash too.
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
] as const;

const migration = (name: string): Migration => ({
  async up(db) {
    const text = await readFile(new URL(`${name}.sql`, import.meta.url), 'utf8');
    await sql.raw(text).execute(db);
  },
});

export const migrations: MigrationProvider = {
  getMigrations: () => Promise.resolve(Object.fromEntries(files.map((name) => [name, migration(name)]))),
};
