import { setTimeout as sleep } from 'node:timers/promises';
import { lockAssertions, newId } from '@riskboard/db';
import { lockWaits } from '@riskboard/worker/testing/crash-points';
import { reportOf, requestRun, uploadCsv } from '@riskboard/worker/testing/import-csv';
import { rowCounts } from '@riskboard/worker/testing/snapshot';
import { bundle, manyVulnerabilities, threat } from '@riskboard/worker/testing/stix2';
import type { TestHarness } from '@riskboard/worker/testing/test-harness';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultScenario, openFaultScenario } from './fault-scenario.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Pseudo-random numbers from 0 to 1, the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What must survive faults of workers, on one backend of the queue. */
export const describeWorkerFaults = (name: string, redisUrl: string | undefined) =>
  describe(`worker faults on ${name}`, () => {
    let scenario: FaultScenario;
    beforeEach(async () => {
      scenario = await openFaultScenario(redisUrl);
    });
    afterEach(() => scenario.close());

    const attempts = async (jobId = '') => (await scenario.harness.job(jobId)).attempt;

    it('another worker parses the whole report once after a kill during the parse', async () => {
      const first = await scenario.start();
      const [report] = await scenario.upload([bundle([...manyVulnerabilities(8000), threat()])]);
      const { parseJobId = '', extractJobId } = report ?? {};
      await scenario.reaches(parseJobId, 'running');
      await first.kill();
      expect(await rowCounts(scenario.harness)).toMatchObject({ report_record: 0 });
      await scenario.start();
      await scenario.allDone(report ? [report] : []);
      expect([await attempts(parseJobId), await attempts(extractJobId)]).toEqual([2, 1]);
      expect(await rowCounts(scenario.harness)).toMatchObject({
        report_record: 8001,
        vulnerability: 8000,
        threat: 1,
      });
    });

    it('kills before the commits of a parse and of an extraction leave no partial or duplicate rows', async () => {
      const { harness } = scenario;
      const first = await scenario.start();
      const [report] = await scenario.upload([bundle([...manyVulnerabilities(500), threat()])]);
      const { fileId = '', parseJobId = '', extractJobId = '' } = report ?? {};
      await harness.inside(async (trx) => {
        await trx.selectFrom('report_file').select('id').where('id', '=', fileId).forUpdate().execute();
        await scenario.reaches(parseJobId, 'running');
        await lockWaits(harness.database);
        await first.kill();
      });
      const second = await harness.inside(async (trx) => {
        await lockAssertions(trx);
        const worker = await scenario.start();
        await scenario.reaches(extractJobId, 'running');
        await lockWaits(harness.database);
        await worker.kill();
        return worker;
      });
      expect(second.child.signalCode).toBe('SIGKILL');
      expect(await rowCounts(harness)).toMatchObject({ report_record: 501, vulnerability: 0, activity: 0 });
      await scenario.start();
      await scenario.allDone(report ? [report] : []);
      expect([await attempts(parseJobId), await attempts(extractJobId)]).toEqual([2, 2]);
      expect(await rowCounts(harness)).toMatchObject({
        report_record: 501,
        vulnerability: 500,
        threat: 1,
        activity: 1,
      });
    });

    it('a kill before the commit of a CSV import leaves none of its records, and another worker imports each row once', async () => {
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
      expect(await attempts(jobId)).toBe(2);
      expect((await harness.job(jobId)).result).toMatchObject({ rows: 200, created: 200 });
      expect(await rowCounts(harness)).toMatchObject({ vulnerability: 200, activity: 1 });
      expect(await reportOf(harness, importId)).toHaveLength(200);
      const asset = await harness.inside((trx) =>
        trx.selectFrom('asset').select('vulnerability_count').where('id', '=', crane).executeTakeFirst(),
      );
      expect(asset?.vulnerability_count).toBe(200);
    });

    it('after ten random kills every report is parsed and extracted exactly once', async () => {
      const random = seeded(20_261_121);
      const { harness } = scenario;
      const contents = Array.from({ length: 12 }, (_, index) =>
        bundle([...manyVulnerabilities(1200, 10_000 + index * 600), threat()]),
      );
      const workers = await Promise.all([scenario.start(), scenario.start()]);
      const reports = await scenario.upload(contents);
      for (let kills = 0; kills < 10; kills += 1) {
        await sleep(200 + 1300 * random());
        await waitUntilNoJobIsOnItsLastTry(scenario);
        const victim = Math.floor(random() * workers.length);
        await workers[victim]?.kill();
        workers[victim] = await scenario.start();
      }
      await scenario.allDone(reports);
      // Each report shares half of its numbers with the next.
      expect(await rowCounts(harness)).toMatchObject({ vulnerability: 600 * 13, threat: 12, activity: 12 });
    });

    it('SIGTERM lets the running job finish, starts no other, and exits with 0', async () => {
      const worker = await scenario.start();
      const reports = await scenario.upload([
        bundle(manyVulnerabilities(6000)),
        bundle(manyVulnerabilities(50, 50_000)),
      ]);
      const [running, waiting] = reports;
      await scenario.reaches(running?.parseJobId ?? '', 'running');
      const before = performance.now();
      expect(await worker.stop()).toBe(0);
      expect(performance.now() - before).toBeLessThan(30_000);
      expect(await scenario.harness.job(running?.parseJobId ?? '')).toMatchObject({
        state: 'succeeded',
        attempt: 1,
      });
      expect(await scenario.harness.job(waiting?.parseJobId ?? '')).toMatchObject({
        state: 'queued',
        attempt: 0,
      });
      await scenario.start();
      await scenario.allDone(reports);
    });

    it('workers continue by themselves after losing their database connections during a job', async () => {
      const workers: WorkerProcess[] = await Promise.all([scenario.start(2), scenario.start(2)]);
      const contents = Array.from({ length: 6 }, (_, index) =>
        bundle(manyVulnerabilities(2500, 10_000 + index * 2500)),
      );
      const reports = await scenario.upload(contents);
      for (let cuts = 0; cuts < 4; cuts += 1) {
        await sleep(1200);
        await waitUntilNoJobIsOnItsLastTry(scenario);
        await scenario.administer(
          `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
        );
      }
      await scenario.allDone(reports);
      for (const { child } of workers) expect([child.exitCode, child.signalCode]).toEqual([null, null]);
      expect(await rowCounts(scenario.harness)).toMatchObject({ vulnerability: 15_000, activity: 6 });
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

/** A job fails for good after three dead runs. That is correct but not the subject here, so wait until no job is close to it. */
async function waitUntilNoJobIsOnItsLastTry({ harness }: FaultScenario): Promise<void> {
  for (;;) {
    const last = await harness.inside((trx) =>
      trx
        .selectFrom('job')
        .select('id')
        .where('state', 'in', ['queued', 'running'])
        .where('tries', '>=', 2)
        .execute(),
    );
    if (last.length === 0) return;
    await sleep(50);
  }
}
