import { cancelJobs } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cwssHarness } from '../testing/cwss.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../testing/test-harness.ts';
import { recalculateStale } from './recalculate-stale.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let cwss: ReturnType<typeof cwssHarness>;
let vignetteId: string;
let ids: string[];
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  cwss = cwssHarness(harness);
  vignetteId = await cwss.vignette('Web shop', 7);
  ids = await cwss.vulnerabilities(3);
  await harness.run(await cwss.request({ vignetteId, filter: {} }));
  harness.recorded.messages.length = 0;
});

const switchOn = (on = true) =>
  harness.inside((trx) => sql`update organization set auto_recalculate_cwss = ${on}`.execute(trx));
const edit = (id: string | undefined, cwe = 'CWE-89') =>
  harness.inside((trx) => sql`update vulnerability set cwe = array[${cwe}] where id = ${id}`.execute(trx));
const recalculate = (): Promise<number> => recalculateStale(harness.deps, [harness.organizationId]);
const stale = async (): Promise<string[]> =>
  (await cwss.rows()).filter((row) => row.cwss_state === 'stale').map(({ id }) => id);
const queued = () => harness.recorded.messages.map(({ id }) => id);

describe('automatic recalculation', () => {
  it('creates a job for an organization that switched it on, and the job makes the scores current', async () => {
    await edit(ids[0]);
    expect(await recalculate()).toBe(0);
    await switchOn();
    expect(await recalculate()).toBe(1);
    const [jobId = ''] = queued();
    expect(harness.recorded.events.at(-1)).toMatchObject({ type: 'job.updated', job: { _id: jobId } });
    await harness.run(jobId);
    expect(await harness.job(jobId)).toMatchObject({
      state: 'succeeded',
      created_by: null,
      result: { matched: 1, changed: 1 },
    });
    expect(await stale()).toEqual([]);
    expect(await recalculate()).toBe(0);
  });

  it('creates one job when several workers look at once, and none while it is queued or running', async () => {
    await switchOn();
    await edit(ids[0]);
    const created = await Promise.all(Array.from({ length: 6 }, recalculate));
    expect(created.reduce((sum, one) => sum + one, 0)).toBe(1);
    await edit(ids[1]);
    expect(await recalculate()).toBe(0);
    await harness.inside((trx) => sql`update job set state = 'running' where state = 'queued'`.execute(trx));
    expect(await recalculate()).toBe(0);
  });

  it('creates another job for a change during the run', async () => {
    await switchOn();
    await edit(ids[0]);
    await recalculate();
    await harness.run(queued()[0] ?? '');
    await edit(ids[0], 'CWE-22');
    expect(await recalculate()).toBe(1);
    await harness.run(queued()[1] ?? '');
    expect(await stale()).toEqual([]);
    expect((await cwss.rows())[0]).toMatchObject({ cwss_version: 3 });
  });

  it('finds every organization with stale scores, and leaves others and those that are deleted alone', async () => {
    const other = cwssHarness(await harnesses.open());
    await other.vulnerabilities(1);
    await switchOn();
    await edit(ids[2]);
    await recalculateStale(harness.deps);
    expect(harness.recorded.messages).toMatchObject([{ organizationId: harness.organizationId }]);
    await harness.run(queued()[0] ?? '');
    await edit(ids[2], 'CWE-22');
    await harness.inside((trx) => sql`update organization set deleting_at = now()`.execute(trx));
    expect(await recalculate()).toBe(0);
  });

  it('does not repeat what cannot be calculated: scores of a deleted vignette, and a job that was cancelled', async () => {
    await switchOn();
    await edit(ids[0]);
    await recalculate();
    await harness.inside((trx) => cancelJobs(trx, { all: true }));
    expect(await recalculate()).toBe(0);
    await harness.inside((trx) =>
      sql`update job set finished_at = now() - interval '11 minutes' where state = 'cancelled'`.execute(trx),
    );
    await harness.inside((trx) => trx.deleteFrom('vignette').execute());
    expect(await recalculate()).toBe(0);
    vignetteId = await cwss.vignette('Bank', 3);
    await harness.run(await cwss.request({ vignetteId, ids: ids.slice(1, 2) }));
    await edit(ids[1]);
    expect(await recalculate()).toBe(1);
  });
});
