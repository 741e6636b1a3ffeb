import { setTimeout as sleep } from 'node:timers/promises';
import type { JobRow } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { bundle, manyVulnerabilities, threat } from '../../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';
import { claim, runOf } from './job-row.ts';
import { startProgress } from './progress.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

/** Starts a job, and records the writes of its progress. */
async function begin() {
  const { parseJobId } = await harness.store('a.json', bundle([threat()]));
  const { organizationId } = harness;
  await claim(harness.database, { id: parseJobId, kind: 'stix.parse', organizationId });
  const run = runOf(await harness.job(parseJobId));
  const written: JobRow[] = [];
  const errors: unknown[] = [];
  const onLost = vi.fn<() => void>();
  const progress = startProgress({
    database: harness.database,
    run,
    async onWritten(job) {
      written.push(job);
    },
    onLost,
    onError: (error) => void errors.push(error),
  });
  return { run, progress, written, errors, onLost };
}

it('progress is written at most five times a second, always the newest value, each with a new version', async () => {
  const { progress, written, run } = await begin();
  const start = performance.now();
  let done = 0;
  while (performance.now() - start < 1500) {
    done += 1;
    progress.set({ phase: 'reading', done, total: 1e6 });
    await sleep(1);
  }
  await progress.stop();
  const seconds = (performance.now() - start) / 1000;
  expect(written.length).toBeGreaterThanOrEqual(3);
  expect(written.length).toBeLessThanOrEqual(Math.ceil(seconds * 5));
  // Version 1 is the insert, 2 the start of the run.
  expect(written.map(({ version }) => version)).toEqual(written.map((_, index) => index + 3));
  expect(written.map((job) => job.done)).toEqual(written.map((job) => job.done).toSorted((a, b) => a - b));
  expect((await harness.job(run.jobId)).done).toBe(written.at(-1)?.done);
});

it('a run without progress writes and publishes heartbeats, so that pages show the last update', async () => {
  const { progress, written, run } = await begin();
  const { heartbeat_at: before, version } = await harness.job(run.jobId);
  await vi.waitFor(
    async () => {
      const { heartbeat_at: now } = await harness.job(run.jobId);
      expect(now?.getTime()).toBeGreaterThan(before?.getTime() ?? Infinity);
    },
    { interval: 50 },
  );
  await progress.stop();
  expect(written[0]?.version).toBe(version + 1);
  expect(written[0]?.heartbeat_at?.getTime()).toBeGreaterThan(before?.getTime() ?? Infinity);
  expect(written[0]).toMatchObject({ phase: 'starting', done: 0, total: 0 });
});

it('a run writes heartbeats also when the clock of the computer is set back', async () => {
  const { progress, written } = await begin();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  await vi.waitFor(() => expect(written).not.toEqual([]), { interval: 50 });
  clock.mockRestore();
  await progress.stop();
});

it('progress is not written once another run owns the job', async () => {
  const { progress, onLost, run, written } = await begin();
  const taken = await harness.inside((trx) =>
    trx
      .updateTable('job')
      .set({ attempt: 2, phase: 'theirs' })
      .where('id', '=', run.jobId)
      .returningAll()
      .execute(),
  );
  progress.set({ phase: 'reading', done: 1, total: 2 });
  await vi.waitFor(() => expect(onLost).toHaveBeenCalled());
  await progress.stop();
  expect(written).toEqual([]);
  expect(await harness.job(run.jobId)).toMatchObject(taken[0] ?? {});
});

it('progress is not written after it was stopped', async () => {
  const { progress, written, run } = await begin();
  progress.set({ phase: 'reading', done: 1, total: 2 });
  await progress.stop();
  const { version } = await harness.job(run.jobId);
  progress.set({ phase: 'reading', done: 2, total: 2 });
  await sleep(500);
  expect(written.length).toBeLessThanOrEqual(1);
  expect((await harness.job(run.jobId)).version).toBe(version);
});

it('progress continues after a temporary database error', async () => {
  const { progress, errors, written } = await begin();
  const { app } = harness.database;
  const broken = vi.spyOn(app, 'transaction').mockImplementationOnce(() => {
    throw new Error('The network is gone');
  });
  progress.set({ phase: 'reading', done: 1, total: 2 });
  await vi.waitFor(() => expect(errors).toHaveLength(1));
  broken.mockRestore();
  progress.set({ phase: 'reading', done: 2, total: 2 });
  await vi.waitFor(() => expect(written).toMatchObject([{ done: 2 }]));
  await progress.stop();
});

it(
  'progress of a long report is published in bytes while it is read, and its last state at the end',
  { timeout: 60_000 },
  async () => {
    const { parseJobId } = await harness.store('a.json', bundle(manyVulnerabilities(20_000)));
    const { file_id: fileId } = await harness.job(parseJobId);
    await harness.run(parseJobId);
    const published = harness.recorded.events.flatMap((event) =>
      event.type === 'job.updated' ? [event.job] : [],
    );
    const { size } = await harness.inside((trx) =>
      trx.selectFrom('report_file').select('size').where('id', '=', fileId).executeTakeFirstOrThrow(),
    );
    const reading = published.filter(({ progress }) => progress.phase === 'reading');
    expect(reading.length).toBeGreaterThan(0);
    for (const { progress } of reading) {
      expect(progress.total).toBe(size);
      expect(progress.done).toBeLessThanOrEqual(size);
    }
    expect(published.at(-1)).toMatchObject({
      state: 'succeeded',
      progress: { phase: 'done', done: 20_000, total: 20_000 },
    });
  },
);
