import { startApi, type TestApi } from '@riskboard/api/testing/start-api';
import {
  migrateToLatest,
  readAccess,
  readTotals,
  recomputeOverview,
  requestRecompute,
  withOrganization,
} from '@riskboard/db';
import { migrateTo } from '@riskboard/db/testing/empty-database';
import {
  copyDatabase,
  countOverview,
  createEmptyDatabase,
  type TestDatabase,
  withClient,
} from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenReferences, freshAccess, lostRows, wrongCounts } from './check-rows.ts';
import { fixtureVersions, loadFixture, readFixture } from './fixture-file.ts';
import { readEverything } from './read-everything.ts';
import { runUnfinishedJobs } from './run-jobs.ts';

let access: string[];
/** Without rows, migrated from one fixture's schema to the next, so that each migration runs once for all of them. */
let schema: TestDatabase;
beforeAll(async () => {
  access = await freshAccess();
  schema = await createEmptyDatabase();
});
afterAll(() => schema.drop());

/** The ledger of the overview exists since this migration; before it, the first worker counts the numbers. */
const ledger = '0031';

describe.each(await fixtureVersions())('the upgrade of an installation with the schema %s', (version) => {
  let database: TestDatabase;
  let api: TestApi;
  beforeAll(async () => {
    await migrateTo(schema.url, version);
    database = await copyDatabase(schema);
    const rows = await readFixture(version);
    await withClient(database.adminUrl, (admin) => loadFixture(admin, rows));
    await migrateToLatest(database.url);
    api = await startApi({}, { clone: database });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const asAdmin = <T>(work: Parameters<typeof withClient<T>>[1]) => withClient(database.adminUrl, work);

  it('keeps every row with its content', async () => {
    const rows = await readFixture(version);
    expect(await asAdmin((admin) => lostRows(admin, rows))).toEqual([]);
  });

  it('leaves every reference and every stored count right', async () => {
    expect(await asAdmin(brokenReferences)).toEqual([]);
    expect(await asAdmin(wrongCounts)).toEqual([]);
  });

  it('gives the roles what they have in a fresh database', async () => {
    expect(await asAdmin(readAccess)).toEqual(access);
  });

  it('lets the owner log in and read every list and record', async () => {
    const { read, refused } = await asAdmin((admin) => readEverything(api, admin));
    expect(refused).toEqual([]);
    expect(read).toBeGreaterThan(80);
  });

  it('has the numbers of the overview that a recount gives, and finishes every unfinished job', async () => {
    const organizations = await asAdmin(async (admin) => {
      const { rows } = await admin.query<{ id: string }>('select organization_id as id from organization');
      return rows.map(({ id }) => id);
    });
    for (const id of organizations)
      await withOrganization(api.database, id, async (trx) => {
        if (version < ledger) await requestRecompute(trx, null);
        else expect((await recomputeOverview(trx)).repaired).toEqual([]);
      });
    await runUnfinishedJobs(database.url);
    for (const id of organizations)
      await withOrganization(api.database, id, async (trx) => {
        const counted = await countOverview(
          async <T>(text: string) => (await sql.raw<T>(text).execute(trx)).rows,
        );
        expect(await readTotals(trx)).toEqual(counted);
      });
    const { rows } = await asAdmin((admin) =>
      admin.query(`select kind, state, error_message from job where state in ('queued', 'running')`),
    );
    expect(rows).toEqual([]);
  });
});
