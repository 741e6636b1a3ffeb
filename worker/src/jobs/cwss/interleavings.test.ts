import type { JobProgress } from '@riskboard/contract';
import {
  addAssets,
  calculateOne,
  cancelJobs,
  deleteAssets,
  loadFacts,
  loadScoringVignettes,
  lockAssertions,
  lockAssets,
  markStale,
  newId,
  type OrganizationTransaction,
  removeAssets,
  updateAssets,
} from '@riskboard/db';
import { deleteRecords } from '@riskboard/db/testing/delete-records';
import { rateFacts } from '@riskboard/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crashPoint, lockWaits, stopBeforeCommit, takeOver } from '../../testing/crash-points.ts';
import { cwssHarness } from '../../testing/cwss.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';
import { handlers } from '../handlers.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let cwss: ReturnType<typeof cwssHarness>;
let vignetteId: string;
/** Vulnerabilities; the first is related to the first asset. */
let ids: string[];
let assets: string[];
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  cwss = cwssHarness(harness);
  vignetteId = await cwss.vignette('Web shop', 7);
  ids = await cwss.vulnerabilities(3);
  const project = newId();
  assets = [newId(), newId()].toSorted();
  await harness.inside(async (trx) => {
    const common = sql`select ${harness.organizationId}::uuid`;
    await sql`insert into project (organization_id, id, name, start_date) ${common}, ${project}, 'Harbour', now()`.execute(
      trx,
    );
    await sql`insert into asset (organization_id, id, project_id, name, asset_type_id, criticality)
      ${common}, id, ${project}, 'Server', 1, 3 from unnest(${assets}::uuid[]) id`.execute(trx);
    await relate(trx, ids[0], assets[0]);
  });
});

type Work = (trx: OrganizationTransaction) => Promise<unknown>;

const related = (record: string | undefined, asset: string | undefined) =>
  ({ table: 'vulnerability', ids: [record ?? ''], assets: [asset ?? ''] }) as const;
async function relate(trx: OrganizationTransaction, record?: string, asset?: string): Promise<void> {
  await lockAssets(trx);
  await addAssets(trx, related(record, asset));
}

/** What users and jobs change while scores are calculated; all of it under the locks that they take. */
const changes: Readonly<Record<string, Work>> = {
  'the CWE of a vulnerability': (trx) =>
    sql`update vulnerability set cwe = '{CWE-89}' where id = ${ids[0]}`.execute(trx),
  'the CVE id of a vulnerability': (trx) =>
    sql`update vulnerability set cve_id = '' where id = ${ids[1]}`.execute(trx),
  'the CVSS vector of a vulnerability': (trx) =>
    sql`update vulnerability set cvss_vector = '' where id = ${ids[2]}`.execute(trx),
  'a new relation to an asset': (trx) => relate(trx, ids[1], assets[1]),
  'a removed relation to an asset': async (trx) => {
    await lockAssets(trx);
    await removeAssets(trx, related(ids[0], assets[0]));
  },
  'the criticality of an asset': (trx) =>
    updateAssets(trx, {
      where: sql`r.id = ${assets[0]}`,
      change: { columns: { criticality: 5 }, addAssets: [], removeAssets: [] },
      by: null,
    }),
  'a deleted asset': (trx) => deleteAssets(trx, { ids: [assets[0] ?? ''], by: null }),
  'a factor of an analyst': (trx) =>
    sql`insert into cwss_override (organization_id, vulnerability_id, factor, code, weight, reason)
      values (${harness.organizationId}, ${ids[1]}, 'EC', 'B', 0.3, 'A firewall filters it.')`.execute(trx),
  'a new version of the vignette': async (trx) => {
    await cwss.nextVersion(trx, vignetteId, 9);
    await markStale(trx, { reason: 'vignette', vignetteId });
  },
  'a deleted vulnerability': (trx) =>
    deleteRecords(trx, { table: 'vulnerability', where: sql`r.id = ${ids[0]}`, by: null }),
};

/** Scores that are marked as current although their inputs differ from what would be loaded now. */
async function outdatedCurrent(): Promise<object[]> {
  const [rows, scores] = [await cwss.rows(), await cwss.scores()];
  const found: object[] = [];
  for (const row of rows.filter(({ cwss_state: state }) => state === 'current')) {
    const score = scores.findLast((one) => one.vulnerability_id === row.id);
    const [now, vignette] = await harness.inside(async (trx) => {
      const { rows: facts } = await loadFacts(trx, [row.id]);
      return [facts[0]?.facts, (await loadScoringVignettes(trx, [score?.vignette_id ?? '']))[0]] as const;
    });
    const inputs = now && vignette ? rateFacts(now, vignette.scorecard) : undefined;
    if (
      JSON.stringify(sorted(inputs)) !== JSON.stringify(sorted(score?.inputs)) ||
      vignette?.version !== score?.vignette_version
    )
      found.push({ row: row.id, inputs, stored: score?.inputs });
  }
  return found;
}

/** The same value with the keys of every object in order, as jsonb has its own order. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, sorted(inner)]),
        )
      : value;

const linear = async (): Promise<void> => {
  const scores = Map.groupBy(await cwss.scores(), (score) => score.vulnerability_id);
  for (const own of scores.values())
    expect(own.map(({ version }) => version)).toEqual(own.map((_one, n) => n + 1));
};

it('the progress of a calculation that waits for the lock of another job is that of saving', async () => {
  const jobId = await cwss.request({ vignetteId, filter: {} });
  const seen: JobProgress[] = [];
  let run: Promise<void> | undefined;
  await harness.inside(async (trx) => {
    await lockAssertions(trx);
    run = harness.run(jobId, {
      handlers: {
        ...handlers,
        'cwss.calculate': (context) =>
          handlers['cwss.calculate']({ ...context, progress: (progress) => void seen.push(progress) }),
      },
    });
    await lockWaits(harness.database);
    expect(seen.map(({ phase }) => phase)).toEqual(['reading', 'reading', 'calculating', 'saving']);
    expect(seen.at(-1)).toEqual({ phase: 'saving', done: 0, total: 3 });
  });
  await run;
});

describe.each(['a first score', 'a repeated score'])('during the calculation of %s', (which) => {
  beforeEach(async () => {
    if (which === 'a repeated score') await harness.run(await cwss.request({ vignetteId, filter: {} }));
  });

  it.each(Object.entries(changes))(
    'a change between loading and saving is part of the scores: %s',
    async (_name, change) => {
      const jobId = await cwss.request({ vignetteId, filter: {} });
      // The calculation waits for this lock after it has loaded and calculated everything.
      let run: Promise<void> | undefined;
      await harness.inside(async (trx) => {
        await lockAssets(trx);
        await lockAssertions(trx);
        run = harness.run(jobId);
        await lockWaits(harness.database);
        await change(trx);
      });
      await run;
      const { state, result } = await harness.job(jobId);
      expect(state).toBe('succeeded');
      const { matched, changed, unchanged, skipped } = result as {
        matched: number;
        changed: number;
        unchanged: number;
        skipped: { count: number }[];
      };
      expect(matched).toBe(3);
      expect(changed + unchanged + skipped.reduce((sum, { count }) => sum + count, 0)).toBe(3);
      expect((await cwss.rows()).every((row) => row.cwss_state === 'current')).toBe(true);
      expect(await outdatedCurrent()).toEqual([]);
      await linear();
    },
  );

  it.each(Object.entries(changes))(
    'a change between saving and the commit waits and marks the scores: %s',
    async (_name, change) => {
      const saved = crashPoint();
      const run = harness.run(await cwss.request({ vignetteId, filter: {} }), {
        handlers: stopBeforeCommit(saved),
      });
      await saved.reached;
      const changed = harness.inside(change);
      await lockWaits(harness.database);
      saved.open();
      await run;
      await changed;
      expect(await outdatedCurrent()).toEqual([]);
      await linear();
    },
  );
});

describe('a calculation', () => {
  it('waits for an edit that began before it saves, and uses what the edit wrote', async () => {
    const jobId = await cwss.request({ vignetteId, filter: {} });
    let run: Promise<void> | undefined;
    await harness.inside(async (trx) => {
      await sql`update vulnerability set cwe = '{NVD-CWE-noinfo}' where id = ${ids[1]}`.execute(trx);
      run = harness.run(jobId);
      await lockWaits(harness.database);
    });
    await run;
    const score = (await cwss.scores()).find((one) => one.vulnerability_id === ids[1]);
    expect(score?.vector).toContain('TI:D,0.6');
    expect(await outdatedCurrent()).toEqual([]);
  });

  it('fails and stores nothing when its vignette is deleted during the run', async () => {
    const jobId = await cwss.request({ vignetteId, filter: {} });
    let run: Promise<void> | undefined;
    await harness.inside(async (trx) => {
      await lockAssertions(trx);
      run = harness.run(jobId);
      await lockWaits(harness.database);
      await trx.deleteFrom('vignette').execute();
      await markStale(trx, { reason: 'vignette-deleted', vignetteId });
    });
    await run;
    expect(await harness.job(jobId)).toMatchObject({ state: 'failed', error_code: 'vignette_deleted' });
    expect(await cwss.scores()).toEqual([]);
  });

  it('without a vignette leaves out a vulnerability that is scored with another one meanwhile', async () => {
    const other = await cwss.vignette('Bank', 9);
    await harness.run(await cwss.request({ vignetteId, filter: {} }));
    await harness.inside((trx) => sql`update vulnerability set cwe = '{CWE-89}'`.execute(trx));
    const jobId = await cwss.request({ stale: true });
    let run: Promise<void> | undefined;
    await harness.inside(async (trx) => {
      await lockAssertions(trx);
      run = harness.run(jobId);
      await lockWaits(harness.database);
      await calculateOne(trx, {
        vulnerabilityId: ids[1] ?? '',
        vignetteId: other,
        by: null,
        jobId: null,
        cause: 'calculated',
      });
    });
    await run;
    expect((await harness.job(jobId)).result).toEqual({
      matched: 3,
      changed: 2,
      unchanged: 0,
      skipped: [{ reason: 'calculated with another vignette meanwhile', count: 1 }],
    });
    expect(
      (await cwss.rows()).map((row) => [row.applied_vignette, row.cwss_version, row.cwss_state]),
    ).toEqual([
      ['Web shop', 2, 'current'],
      ['Bank', 2, 'current'],
      ['Web shop', 2, 'current'],
    ]);
    await linear();
  });

  it('that is cancelled before its commit leaves nothing', async () => {
    const jobId = await cwss.request({ vignetteId, filter: {} });
    const saved = crashPoint();
    const run = harness.run(jobId, { handlers: stopBeforeCommit(saved) });
    await saved.reached;
    await harness.inside((trx) => cancelJobs(trx, { id: jobId }));
    saved.open();
    await run;
    expect(await harness.job(jobId)).toMatchObject({ state: 'cancelled', result: null });
    expect(await cwss.scores()).toEqual([]);
    expect((await cwss.rows()).every((row) => row.cwss_score === null && row.cwss_version === 0)).toBe(true);
    expect(harness.recorded.events.filter(({ type }) => type === 'vulnerability.changed')).toEqual([]);
  });

  it('that another worker takes over is stored once', async () => {
    const jobId = await cwss.request({ vignetteId, filter: {} });
    const saved = crashPoint();
    const first = harness.run(jobId, { handlers: stopBeforeCommit(saved) });
    await saved.reached;
    await takeOver(harness, jobId, () => harness.run(jobId));
    saved.open();
    await first;
    expect(await harness.job(jobId)).toMatchObject({
      state: 'succeeded',
      attempt: 2,
      result: { changed: 3 },
    });
    expect((await cwss.scores()).map(({ version }) => version)).toEqual([1, 1, 1]);
  });

  it('with another vignette over the same vulnerabilities does not deadlock, and the later one is the newest', async () => {
    const other = await cwss.vignette('Bank', 9);
    const jobs = [
      await cwss.request({ vignetteId, filter: {} }),
      await cwss.request({ vignetteId: other, filter: {} }),
    ];
    await Promise.all(jobs.map((jobId) => harness.run(jobId)));
    for (const jobId of jobs)
      expect(await harness.job(jobId)).toMatchObject({ state: 'succeeded', result: { changed: 3 } });
    const newest = (await cwss.scores()).filter(({ version }) => version === 2);
    expect(new Set(newest.map((score) => score.vignette_id)).size).toBe(1);
    expect((await cwss.rows()).map((row) => row.cwss_vignette_id)).toEqual(
      newest.map((score) => score.vignette_id),
    );
    await linear();
  });
});
