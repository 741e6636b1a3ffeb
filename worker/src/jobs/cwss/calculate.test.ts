import { newId, runningTransactions } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cwssHarness } from '../../testing/cwss.ts';
import { snapshot } from '../../testing/snapshot.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let cwss: ReturnType<typeof cwssHarness>;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  cwss = cwssHarness(harness);
});

const ended = async (jobId: string) => {
  await harness.run(jobId);
  return harness.job(jobId);
};

describe('a job that calculates CWSS scores', () => {
  it('of one vulnerability stores its score, logs it and publishes it, and changes nothing in a second run', async () => {
    const vignetteId = await cwss.vignette('Web shop', 7);
    const [id = '', other = ''] = await cwss.vulnerabilities(2);
    const jobId = await cwss.request({ vignetteId }, id);
    const job = await ended(jobId);
    const [scored, unscored] = await cwss.rows();
    expect(job).toMatchObject({
      state: 'succeeded',
      result: { matched: 1, changed: 1, unchanged: 0, skipped: [], cwssScore: scored?.cwss_score },
    });
    expect(scored).toMatchObject({ id, applied_vignette: 'Web shop', cwss_version: 1, version: 1 });
    expect(unscored).toMatchObject({ id: other, cwss_score: null });
    expect(harness.recorded.events).toContainEqual(
      expect.objectContaining({ type: 'vulnerability.changed', ids: [id], action: 'updated' }),
    );
    const entries = await harness.inside((trx) => trx.selectFrom('activity').selectAll().execute());
    expect(entries).toMatchObject([
      {
        action: 'vulnerability.scored',
        noun_id: id,
        detail: { score: scored?.cwss_score, vignette: 'Web shop', version: 1 },
      },
    ]);
    const after = await snapshot(harness);
    await harness.run(jobId);
    expect(await snapshot(harness)).toEqual(after);
  });

  it('of selected vulnerabilities scores all of them once; the same request again changes none', async () => {
    const vignetteId = await cwss.vignette('Web shop', 7);
    const ids = await cwss.vulnerabilities(5);
    await harness.inside((trx) =>
      sql`update vulnerability set cwe = '{NVD-CWE-noinfo}' where id = ${ids[0]}`.execute(trx),
    );
    const missing = newId();
    const requested = [...ids.slice(0, 3), missing];
    const first = await ended(await cwss.request({ vignetteId, ids: requested }));
    expect(first).toMatchObject({
      state: 'succeeded',
      result: {
        matched: 4,
        changed: 3,
        unchanged: 0,
        skipped: [{ reason: 'no longer exists', count: 1 }],
      },
    });
    expect((await cwss.rows()).map((row) => row.cwss_version)).toEqual([1, 1, 1, 0, 0]);
    expect((await cwss.scores()).map((score) => score.vector.slice(0, 9))).toEqual([
      '(TI:D,0.6',
      '(TI:Q,0.7',
      '(TI:Q,0.7',
    ]);
    const second = await ended(await cwss.request({ vignetteId, filter: {} }));
    expect(second.result).toEqual({ matched: 5, changed: 2, unchanged: 3, skipped: [] });
    expect(await cwss.scores()).toHaveLength(5);
  });

  it('leaves out vulnerabilities that were created after the request', async () => {
    const vignetteId = await cwss.vignette('Web shop', 7);
    await cwss.vulnerabilities(2);
    const jobId = await cwss.request({ vignetteId, filter: {} });
    const [later] = await cwss.vulnerabilities(1);
    await harness.inside((trx) =>
      sql`update vulnerability set created_at = now() + interval '1 minute' where id = ${later}`.execute(trx),
    );
    expect((await ended(jobId)).result).toEqual({
      matched: 3,
      changed: 2,
      unchanged: 0,
      skipped: [{ reason: 'created after the request', count: 1 }],
    });
  });

  it('leaves out vulnerabilities of a transaction that was running at the request', async () => {
    const vignetteId = await cwss.vignette('Web shop', 7);
    await cwss.vulnerabilities(2);
    const jobId = await harness.inside(async (open) => {
      const values = { organization_id: harness.organizationId, id: newId(), name: 'Of an import' };
      await open.insertInto('vulnerability').values(values).execute();
      const running = await harness.inside(runningTransactions);
      return cwss.request({ vignetteId, filter: {}, runningTransactions: running });
    });
    expect((await ended(jobId)).result).toMatchObject({
      matched: 3,
      changed: 2,
      skipped: [{ reason: 'created after the request', count: 1 }],
    });
  });

  it('fails with the reason when the vignette or the vulnerability was deleted before the run', async () => {
    const vignetteId = await cwss.vignette('Web shop', 7);
    const [id = ''] = await cwss.vulnerabilities(1);
    const jobs = [
      await cwss.request({ vignetteId }, id),
      await cwss.request({ vignetteId, filter: {} }),
      await cwss.request({ vignetteId }, newId()),
    ];
    expect(await ended(jobs[2] ?? '')).toMatchObject({
      state: 'failed',
      error_code: 'vulnerability_deleted',
    });
    await harness.inside((trx) => trx.deleteFrom('vignette').execute());
    for (const jobId of jobs.slice(0, 2))
      expect(await ended(jobId)).toMatchObject({ state: 'failed', error_code: 'vignette_deleted' });
    expect(await cwss.scores()).toEqual([]);
  });

  it('of stale scores applies to each its own vignette, and skips those whose vignette was deleted', async () => {
    const [shop, bank, clinic] = [
      await cwss.vignette('Web shop', 7),
      await cwss.vignette('Bank', 9),
      await cwss.vignette('Clinic', 3),
    ];
    const ids = await cwss.vulnerabilities(5);
    for (const [n, vignetteId] of [shop, bank, clinic, shop].entries())
      await ended(await cwss.request({ vignetteId, ids: ids.slice(n, n + 1) }));
    await harness.inside(async (trx) => {
      await sql`update vulnerability set cwe = '{CWE-89}' where id <> ${ids[3]}`.execute(trx);
      await trx.deleteFrom('vignette').where('id', '=', clinic).execute();
    });
    const before = await cwss.rows();
    expect(before.map((row) => row.cwss_state)).toEqual(['stale', 'stale', 'stale', 'current', null]);
    const job = await ended(await cwss.request({ stale: true }));
    expect(job.result).toEqual({
      matched: 3,
      changed: 2,
      unchanged: 0,
      skipped: [{ reason: 'the vignette was deleted', count: 1 }],
    });
    const after = await cwss.rows();
    expect(after.map((row) => [row.applied_vignette, row.cwss_version, row.cwss_state])).toEqual([
      ['Web shop', 2, 'current'],
      ['Bank', 2, 'current'],
      ['Clinic', 1, 'stale'],
      ['Web shop', 1, 'current'],
      ['', 0, null],
    ]);
    const automatic = (await cwss.scores()).filter((score) => score.cause === 'automatic');
    expect(automatic.map((score) => [score.vulnerability_id, score.actor])).toEqual([
      [ids[0], null],
      [ids[1], null],
    ]);
  });

  it('of selected vulnerabilities without a vignette applies to each its own, whether its score is stale or not', async () => {
    const [shop, bank, clinic] = [
      await cwss.vignette('Web shop', 7),
      await cwss.vignette('Bank', 9),
      await cwss.vignette('Clinic', 3),
    ];
    const ids = await cwss.vulnerabilities(6);
    for (const [n, vignetteId] of [shop, bank, clinic, shop, shop].entries())
      await ended(await cwss.request({ vignetteId, ids: ids.slice(n, n + 1) }));
    await harness.inside(async (trx) => {
      await sql`update vulnerability set cwe = '{CWE-89}' where id <> ${ids[3]}`.execute(trx);
      await trx.deleteFrom('vignette').where('id', '=', clinic).execute();
    });
    const [first, second, third, fourth, , sixth] = ids;
    const requested = [first, second, third, fourth, sixth, newId()].map((id = '') => id);
    expect((await ended(await cwss.request({ ids: requested }))).result).toEqual({
      matched: 6,
      changed: 2,
      unchanged: 1,
      skipped: [
        { reason: 'no longer exists', count: 1 },
        { reason: 'has no score', count: 1 },
        { reason: 'the vignette was deleted', count: 1 },
      ],
    });
    const rows = await cwss.rows();
    expect(rows.map((row) => [row.applied_vignette, row.cwss_version, row.cwss_state])).toEqual([
      ['Web shop', 2, 'current'],
      ['Bank', 2, 'current'],
      ['Clinic', 1, 'stale'],
      ['Web shop', 1, 'current'],
      ['Web shop', 1, 'stale'],
      ['', 0, null],
    ]);
    const filter = { cwssState: ['stale'], search: 'Vulnerability 5' };
    expect((await ended(await cwss.request({ filter }))).result).toEqual({
      matched: 1,
      changed: 1,
      unchanged: 0,
      skipped: [],
    });
  });

  it('without a vignette leaves out vulnerabilities that were created after the request', async () => {
    const vignetteId = await cwss.vignette('Web shop', 7);
    const [, later] = await cwss.vulnerabilities(2);
    await ended(await cwss.request({ vignetteId, filter: {} }));
    const jobId = await cwss.request({ filter: {} });
    await harness.inside((trx) =>
      sql`update vulnerability set created_at = now() + interval '1 minute' where id = ${later}`.execute(trx),
    );
    expect((await ended(jobId)).result).toEqual({
      matched: 2,
      changed: 0,
      unchanged: 1,
      skipped: [{ reason: 'created after the request', count: 1 }],
    });
  });

  it('sees and changes nothing of another organization', async () => {
    const vignetteId = await cwss.vignette('Web shop', 7);
    const other = cwssHarness(await harnesses.open());
    const [theirs = ''] = await other.vulnerabilities(1);
    expect((await ended(await cwss.request({ vignetteId, ids: [theirs] }))).result).toEqual({
      matched: 1,
      changed: 0,
      unchanged: 0,
      skipped: [{ reason: 'no longer exists', count: 1 }],
    });
    expect((await other.rows())[0]).toMatchObject({ cwss_score: null, cwss_inputs: 0 });
  });
});
