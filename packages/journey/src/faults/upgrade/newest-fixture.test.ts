import { startApi } from '@riskboard/api/testing/start-api';
import { migrations } from '@riskboard/migrations';
import { withClient } from '@riskboard/testing';
import { expect, it } from 'vitest';
import { fillProduct } from './fill-product.ts';
import { dumpRows, fixtureVersions, tablesOf, writeFixture } from './fixture-file.ts';

const newest = Object.keys(await migrations.getMigrations()).at(-1) ?? '';

/** `pnpm -C packages/db fixture` runs this test with the variable, which writes the fixture. */
it('the newest migration has a fixture, for the upgrade tests of later migrations; `pnpm -C packages/db fixture` writes it', async () => {
  if (process.env['RISKBOARD_WRITE_FIXTURE'] === '1') await write();
  expect((await fixtureVersions()).at(-1)).toBe(newest);
});

async function write(): Promise<void> {
  const api = await startApi();
  try {
    await withClient(api.clone.adminUrl, async (admin) => {
      await fillProduct(api, admin);
      const rows = await dumpRows(admin);
      const filled = new Set(rows.map(({ table }) => table));
      const empty = (await tablesOf(admin)).map(({ table }) => table).filter((table) => !filled.has(table));
      expect(empty, 'add a row of these tables to fill-product.ts').toEqual([]);
      await writeFixture(newest, rows);
    });
  } finally {
    await api.close();
  }
}
