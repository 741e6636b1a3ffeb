import { newId } from '@riskboard/db';
import { testRedisUrl } from '@riskboard/testing';
import { lockWaits } from '@riskboard/worker/testing/crash-points';
import { reportOf, requestRun, uploadCsv } from '@riskboard/worker/testing/import-csv';
import { rowCounts } from '@riskboard/worker/testing/snapshot';
import type { TestHarness } from '@riskboard/worker/testing/test-harness';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultScenario, openFaultScenario } from './fault-scenario.ts';

const redis = await testRedisUrl();
const backends = [
  { name: 'PostgreSQL', redisUrl: undefined },
  ...(redis.url === null ? [] : [{ name: 'Redis', redisUrl: redis.url }]),
];

describe.each(backends)('a CSV import with the queue on $name', ({ redisUrl }) => {
  let scenario: FaultScenario;
  beforeEach(async () => {
    scenario = await openFaultScenario(redisUrl);
  });
  afterEach(() => scenario.close());

  it('leaves no record when its worker is killed before the commit, and another worker imports each row once', async () => {
    const { harness } = scenario;
    const crane = await makeAsset(harness);
    const rows = Array.from({ length: 200 }, (_, n) => `Finding ${n},Of the scan,5,Crane`);
    const csv = ['Name,Description,Severity,Related assets', ...rows].join('\n');
    const importId = await uploadCsv(harness, { noun: 'vulnerabilities', csv });
    const jobId = await requestRun(harness, importId, 'csv.import');
    const first = await scenario.start();
    await harness.inside(async (trx) => {
      // Relations are written after the records: the import waits here with all of them.
      await trx.selectFrom('asset').select('id').where('id', '=', crane).forUpdate().execute();
      await scenario.wake();
      await scenario.reaches(jobId, 'running');
      await lockWaits(harness.database);
      await first.kill();
    });
    expect(await rowCounts(harness)).toMatchObject({ vulnerability: 0, activity: 0 });
    expect(await reportOf(harness, importId)).toEqual([]);
    await scenario.start();
    await scenario.reaches(jobId, 'succeeded');
    expect((await harness.job(jobId)).attempt).toBe(2);
    expect((await harness.job(jobId)).result).toMatchObject({ rows: 200, created: 200 });
    expect(await rowCounts(harness)).toMatchObject({ vulnerability: 200, activity: 1 });
    expect(await reportOf(harness, importId)).toHaveLength(200);
    const asset = await harness.inside((trx) =>
      trx.selectFrom('asset').select('vulnerability_count').where('id', '=', crane).executeTakeFirst(),
    );
    expect(asset?.vulnerability_count).toBe(200);
  });
});

/** @returns the id of an asset named Crane */
async function makeAsset({ inside, organizationId }: TestHarness): Promise<string> {
  const [project, id] = [newId(), newId()];
  const common = { organization_id: organizationId };
  await inside(async (trx) => {
    await trx
      .insertInto('project')
      .values({ ...common, id: project, name: 'Harbour', start_date: '2026-01-01' })
      .execute();
    await trx
      .insertInto('asset')
      .values({ ...common, id, name: 'Crane', project_id: project, asset_type_id: 1 })
      .execute();
  });
  return id;
}
