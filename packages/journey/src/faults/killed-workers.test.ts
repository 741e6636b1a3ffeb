import { setTimeout as sleep } from 'node:timers/promises';
import { lockAssertions } from '@riskboard/db';
import { lockWaits } from '@riskboard/worker/testing/crash-points';
import { rowCounts } from '@riskboard/worker/testing/snapshot';
import { bundle, manyVulnerabilities, threat } from '@riskboard/worker/testing/stix2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Arena, backends, openArena } from './arena.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe.each(backends)('workers on $name', ({ redisUrl }) => {
  let arena: Arena;
  beforeEach(async () => {
    arena = await openArena(redisUrl);
  });
  afterEach(() => arena.close());

  const attempts = async (jobId = '') => (await arena.harness.job(jobId)).attempt;

  it('killed while reading: another reads it all, once', async () => {
    const first = await arena.start();
    const [report] = await arena.upload([bundle([...manyVulnerabilities(8000), threat()])]);
    const { parseJobId = '', extractJobId } = report ?? {};
    await arena.reaches(parseJobId, 'running');
    await first.kill();
    expect(await rowCounts(arena.harness)).toMatchObject({ report_record: 0 });
    await arena.start();
    await arena.allDone(report ? [report] : []);
    expect([await attempts(parseJobId), await attempts(extractJobId)]).toEqual([2, 1]);
    expect(await rowCounts(arena.harness)).toMatchObject({
      report_record: 8001,
      vulnerability: 8000,
      threat: 1,
    });
  });

  it('killed before a commit, of a report and of an extraction: nothing half, nothing double', async () => {
    const { harness } = arena;
    const first = await arena.start();
    const [report] = await arena.upload([bundle([...manyVulnerabilities(500), threat()])]);
    const { fileId = '', parseJobId = '', extractJobId = '' } = report ?? {};
    await harness.inside(async (trx) => {
      await trx.selectFrom('report_file').select('id').where('id', '=', fileId).forUpdate().execute();
      await arena.reaches(parseJobId, 'running');
      await lockWaits(harness.database);
      await first.kill();
    });
    const second = await harness.inside(async (trx) => {
      await lockAssertions(trx);
      const worker = await arena.start();
      await arena.reaches(extractJobId, 'running');
      await lockWaits(harness.database);
      await worker.kill();
      return worker;
    });
    expect(second.child.signalCode).toBe('SIGKILL');
    expect(await rowCounts(harness)).toMatchObject({ report_record: 501, vulnerability: 0, activity: 0 });
    await arena.start();
    await arena.allDone(report ? [report] : []);
    expect([await attempts(parseJobId), await attempts(extractJobId)]).toEqual([2, 2]);
    expect(await rowCounts(harness)).toMatchObject({
      report_record: 501,
      vulnerability: 500,
      threat: 1,
      activity: 1,
    });
  });

  it('killed ten times at random: every report is read and extracted exactly once', async () => {
    const random = seeded(20_261_121);
    const { harness } = arena;
    const contents = Array.from({ length: 12 }, (_, index) =>
      bundle([...manyVulnerabilities(1200, 10_000 + index * 600), threat()]),
    );
    const workers = await Promise.all([arena.start(), arena.start()]);
    const reports = await arena.upload(contents);
    for (let kills = 0; kills < 10; kills += 1) {
      await sleep(200 + 1300 * random());
      await untilNoneIsOnItsLastTry(arena);
      const victim = Math.floor(random() * workers.length);
      await workers[victim]?.kill();
      workers[victim] = await arena.start();
    }
    await arena.allDone(reports);
    // Each report shares half of its numbers with the next.
    expect(await rowCounts(harness)).toMatchObject({ vulnerability: 600 * 13, threat: 12, activity: 12 });
  });

  it('asked to end: it finishes what it does, takes nothing new and exits with 0', async () => {
    const worker = await arena.start();
    const reports = await arena.upload([
      bundle(manyVulnerabilities(6000)),
      bundle(manyVulnerabilities(50, 50_000)),
    ]);
    const [running, waiting] = reports;
    await arena.reaches(running?.parseJobId ?? '', 'running');
    const before = performance.now();
    expect(await worker.stop()).toBe(0);
    expect(performance.now() - before).toBeLessThan(30_000);
    expect(await arena.harness.job(running?.parseJobId ?? '')).toMatchObject({
      state: 'succeeded',
      attempt: 1,
    });
    expect(await arena.harness.job(waiting?.parseJobId ?? '')).toMatchObject({ state: 'queued', attempt: 0 });
    await arena.start();
    await arena.allDone(reports);
  });

  it('cut off from the database in the middle of their work: they go on by themselves', async () => {
    const workers: WorkerProcess[] = await Promise.all([arena.start(2), arena.start(2)]);
    const contents = Array.from({ length: 6 }, (_, index) =>
      bundle(manyVulnerabilities(2500, 10_000 + index * 2500)),
    );
    const reports = await arena.upload(contents);
    for (let cuts = 0; cuts < 4; cuts += 1) {
      await sleep(1200);
      await untilNoneIsOnItsLastTry(arena);
      await arena.administer(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    await arena.allDone(reports);
    for (const { child } of workers) expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    expect(await rowCounts(arena.harness)).toMatchObject({ vulnerability: 15_000, activity: 6 });
  });
});

/** A job whose runs die three times is given up, and rightly: such bad luck is not what is tested here. */
async function untilNoneIsOnItsLastTry({ harness }: Arena): Promise<void> {
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
