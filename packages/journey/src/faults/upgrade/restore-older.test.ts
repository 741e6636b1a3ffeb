import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBackup, createBackup, restoreBackup } from '@riskboard/backup';
import { ensureBackupAccess, migrateToLatest, pendingMigrations, readAccess } from '@riskboard/db';
import { migrateTo } from '@riskboard/db/testing/empty-database';
import { createEmptyDatabase, withClient } from '@riskboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { brokenReferences, freshAccess, lostRows, wrongCounts } from './check-rows.ts';
import { fixtureVersions, loadFixture, readFixture } from './fixture-file.ts';

/** Of the versions that make backups, the one before the newest. */
const older = (await fixtureVersions()).slice(-2, -1);

it.each(older)('a backup of the schema %s is restored and migrated, with every row', async (version) => {
  const folder = await mkdtemp(join(tmpdir(), 'riskboard-restore-'));
  const [source, target] = [await createEmptyDatabase(), await createEmptyDatabase()];
  onTestFinished(async () => {
    await Promise.all([source.drop(), target.drop(), rm(folder, { recursive: true })]);
  });
  await migrateTo(source.url, version);
  const rows = await readFixture(version);
  await withClient(source.adminUrl, (admin) => loadFixture(admin, rows));
  await withClient(source.url, ensureBackupAccess);
  const file = join(folder, 'older.backup');
  await createBackup({ ownerUrl: source.url, secrets: {}, fingerprints: {} }, file);

  const { migrated } = await restoreBackup({ ownerUrl: target.url, force: false }, await checkBackup(file));

  expect(migrated).toBe((await pendingMigrations(source.url)).missing.length);
  expect(migrated).toBeGreaterThan(0);
  await migrateToLatest(target.url);
  const access = await freshAccess();
  await withClient(target.adminUrl, async (admin) => {
    expect(await lostRows(admin, rows)).toEqual([]);
    expect(await brokenReferences(admin)).toEqual([]);
    expect(await wrongCounts(admin)).toEqual([]);
    expect(await readAccess(admin)).toEqual(access);
  });
});
