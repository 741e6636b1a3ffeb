import { newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Deps } from '../deps.ts';
import { makeOrganization, openHarnessDatabase, type HarnessDatabase } from '../testing/test-harness.ts';
import { deleteOutdatedRows } from './delete-outdated-rows.ts';
import { recordDailyScores } from './record-scores.ts';

let harness: HarnessDatabase;
let deps: Deps;
let organizationId: string;
beforeAll(async () => {
  harness = await openHarnessDatabase();
  ({ deps } = await harness.open());
  // The rounds of the tests start with their own organizations.
  await recordDailyScores(deps);
});
beforeEach(async () => {
  organizationId = await makeOrganization(harness.database);
});
afterAll(() => harness.close());

const inside = <T>(work: Parameters<typeof withOrganization<T>>[2], id = organizationId) =>
  withOrganization(harness.database, id, work);

/** Assets with no history but the row of their creation. @returns their ids */
const makeAssets = (count: number, id = organizationId): Promise<string[]> =>
  inside(async (trx) => {
    const projectId = newId();
    await sql`insert into project (organization_id, id, name, start_date) values (${id}, ${projectId}, 'p', now())`.execute(
      trx,
    );
    const ids = Array.from({ length: count }, () => newId());
    await sql`
      insert into asset (organization_id, id, project_id, name, asset_type_id, criticality)
      select ${id}, id, ${projectId}, 'a', 1, 3 from unnest(${ids}::uuid[]) id`.execute(trx);
    return ids;
  }, id);

const daily = async (id = organizationId): Promise<string[]> =>
  (
    await inside(
      (trx) =>
        sql<{
          asset_id: string;
        }>`select asset_id from asset_score where cause = 'daily' order by at, asset_id`.execute(trx),
      id,
    )
  ).rows.map((row) => row.asset_id);

const setDay = (change: string) =>
  inside((trx) => sql.raw(`update asset_score_day set ${change}`).execute(trx));

it('records each asset of every organization once a day, also with several workers at once', async () => {
  const other = await makeOrganization(harness.database);
  const [mine, theirs] = [await makeAssets(25), await makeAssets(3, other)];
  await Promise.all([1, 2, 3].map(() => recordDailyScores(deps, 4)));
  await recordDailyScores(deps, 4);
  expect((await daily()).toSorted()).toEqual(mine.toSorted());
  expect((await daily(other)).toSorted()).toEqual(theirs.toSorted());
});

it('continues a day that a worker did not finish, without a second record of an asset', async () => {
  const ids = (await makeAssets(10)).toSorted();
  await recordDailyScores(deps, 4);
  await inside((trx) =>
    sql`delete from asset_score where cause = 'daily' and asset_id > ${ids[3]}`.execute(trx),
  );
  await setDay(`finished_at = null, last_id = '${ids[3]}'`);
  await recordDailyScores(deps, 4);
  expect((await daily()).toSorted()).toEqual(ids);
});

it('ends after a batch when the worker stops, and continues in the next round', async () => {
  const ids = (await makeAssets(10)).toSorted();
  // Aborted during the first batch.
  const stopping = Object.assign(new EventTarget(), { reads: 0 });
  const signal = Object.defineProperty(stopping, 'aborted', { get: () => (stopping.reads += 1) > 1 });
  expect(await recordDailyScores({ ...deps, stopping: signal as unknown as AbortSignal }, 4)).toBe(4);
  expect((await daily()).toSorted()).toEqual(ids.slice(0, 4));
  await recordDailyScores(deps, 4);
  expect((await daily()).toSorted()).toEqual(ids);
});

it('leaves a missed day as a gap, and records nothing while the clock is behind the last recorded day', async () => {
  await makeAssets(2);
  await recordDailyScores(deps);
  await setDay('day = day - 3');
  await recordDailyScores(deps);
  expect(await daily()).toHaveLength(4);
  await setDay('day = day + 1');
  await recordDailyScores(deps);
  expect(await daily()).toHaveLength(4);
});

it('deletes daily records after 400 days and keeps the records of changes', async () => {
  const [id] = await makeAssets(1);
  const record = (daysAgo: number, cause: string) =>
    inside((trx) =>
      sql`insert into asset_score (organization_id, asset_id, at, score, threat_count, vulnerability_count, cause)
        values (${organizationId}, ${id}, now() - make_interval(days => ${daysAgo}), 1, 0, 0, ${cause})`.execute(
        trx,
      ),
    );
  for (const daysAgo of [399, 402]) await record(daysAgo, 'daily');
  for (const daysAgo of [404, 407]) await record(daysAgo, 'levels');
  await recordDailyScores(deps);
  const kept = await inside((trx) =>
    sql<{ cause: string; days: number }>`
      select cause, (now()::date - at::date) as days from asset_score order by at`.execute(trx),
  );
  expect(kept.rows.map(({ cause, days }) => `${cause} ${days}`)).toEqual([
    'levels 407',
    'levels 404',
    'daily 399',
    'created 0',
    'daily 0',
  ]);
});

it('deletes the history of an asset with its row in the trash after 30 days, and of no other asset', async () => {
  const [left, kept] = await makeAssets(2);
  await inside((trx) =>
    sql`
      with deleted as (delete from asset where id = ${left})
      insert into deleted_record (organization_id, noun, id, data, deleted_at)
      values (${organizationId}, 'asset', ${left}, '{}', now() - interval '31 days')`.execute(trx),
  );
  await deleteOutdatedRows(deps);
  const { rows } = await inside((trx) =>
    sql<{ asset_id: string }>`select asset_id from asset_score`.execute(trx),
  );
  expect(rows.map((row) => row.asset_id)).toEqual([kept]);
});
