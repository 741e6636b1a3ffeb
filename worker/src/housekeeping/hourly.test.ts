import { newId } from '@riskboard/db';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { captureLog, sha256 } from '../testing/mail-fixtures.ts';
import { type HarnessDatabase, openHarnessDatabase } from '../testing/test-harness.ts';
import { hourlyRound } from './hourly.ts';

let harnesses: HarnessDatabase;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());

/** Lets every statement about some tables fail, or work again. */
async function rename(suffixes: { from: string; to: string }): Promise<void> {
  const admin = new Client({ connectionString: harnesses.test.adminUrl });
  await admin.connect();
  for (const table of ['password_reset', 'batch', 'asset_score_day'])
    await admin.query(`alter table ${table}${suffixes.from} rename to ${table}${suffixes.to}`);
  await admin.end();
}

it('a step that fails is logged by its name, and the later ones follow', async () => {
  const { deps, recorded } = await harnesses.open();
  const log = captureLog();
  const round = hourlyRound({ ...deps, log: log.logger }, { batchDays: 90 });
  await harnesses.database.system
    .insertInto('login_failure')
    .values({
      id: newId(),
      account_key: sha256('a'),
      address: 'old',
      at: sql<Date>`now() - interval '2 days'`,
    })
    .execute();
  await rename({ from: '', to: '_away' });
  await round();
  await rename({ from: '_away', to: '' });
  expect(await harnesses.database.system.selectFrom('login_failure').selectAll().execute()).toEqual([]);
  expect(recorded.messages.map(({ kind }) => kind)).toEqual(['metrics.recompute']);
  for (const failure of [
    'outdated rows not deleted: password_reset',
    'old batches not deleted',
    'daily scores of assets not recorded',
  ])
    expect(log.text()).toContain(`"msg":"${failure}"`);
});
