import type { JobPayload } from '@riskboard/contract';
import { insertJob, newId, restoreAssets, restoreProjects } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crashPoint, stopBeforeCommit } from '../../testing/crash-points.ts';
import { snapshot } from '../../testing/snapshot.ts';
import { bundle, manyVulnerabilities, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

const request = (payload: JobPayload<'records.delete'>): Promise<string> =>
  harness.inside((trx) =>
    insertJob(trx, { kind: 'records.delete', payload, organizationId: harness.organizationId }),
  );

/** Creates a project with assets, half of them at risk. */
async function makeProject(assets: number): Promise<{ project: string; assets: string[] }> {
  const project = newId();
  const ids = Array.from({ length: assets }, () => newId());
  const common = { organization_id: harness.organizationId };
  await harness.inside(async (trx) => {
    await trx
      .insertInto('project')
      .values({ ...common, id: project, name: 'Harbour', start_date: '2026-01-01' })
      .execute();
    await trx
      .insertInto('asset')
      .values(
        ids.map((id, n) => ({
          ...common,
          id,
          name: `Crane ${n}`,
          project_id: project,
          asset_type_id: 1,
          criticality: n % 2 === 0 ? 5 : 1,
          confidentiality_level: n % 2 === 0 ? 5 : 1,
          integrity_level: n % 2 === 0 ? 4 : 1,
          availability_level: n % 2 === 0 ? 4 : 1,
        })) as never,
      )
      .execute();
  });
  return { project, assets: ids };
}

const left = async (table: 'asset' | 'project' | 'report_file' | 'file_content' | 'report_record') =>
  (
    await harness.inside((trx) =>
      trx
        .selectFrom(table)
        .select(sql<number>`count(*)::int`.as('n'))
        .execute(),
    )
  )[0]?.n;

const log = () =>
  harness.inside((trx) =>
    trx
      .selectFrom('activity')
      .select(['action', 'noun', 'noun_id', 'name', 'detail'])
      .where('action', 'like', '%.deleted')
      .orderBy('name')
      .execute(),
  );

/** Delivers the message of a job twice and checks that the second delivery changes nothing. */
async function runTwice(jobId: string): Promise<void> {
  await harness.run(jobId);
  const after = await snapshot(harness);
  await harness.run(jobId);
  expect(await snapshot(harness)).toEqual(after);
}

describe('a job that deletes selected', () => {
  it('assets supports filters on derived fields, and can be undone', async () => {
    const { assets } = await makeProject(600);
    const jobId = await request({ noun: 'assets', filter: { status: ['at-risk'] } });
    await runTwice(jobId);
    const result = { matched: 300, changed: 300, unchanged: 0, skipped: [], restorable: 'assets' };
    expect(await harness.job(jobId)).toMatchObject({ state: 'succeeded', result });
    expect(await left('asset')).toBe(300);
    expect(harness.recorded.events).toContainEqual({
      type: 'asset.changed',
      action: 'deleted',
      by: null,
      count: 300,
    });
    expect(await log()).toEqual([
      { action: 'asset.deleted', noun: 'assets', noun_id: null, name: '300 assets', detail: { count: 300 } },
    ]);
    expect(await harness.inside((trx) => restoreAssets(trx, assets))).toHaveLength(300);
  });

  it('projects deletes their assets too, and both can be undone', async () => {
    const { project } = await makeProject(3);
    const jobId = await request({ noun: 'projects', filter: { search: 'harb' } });
    await runTwice(jobId);
    expect(await harness.job(jobId)).toMatchObject({ result: { matched: 1, changed: 1 } });
    expect([await left('project'), await left('asset')]).toEqual([0, 0]);
    expect(harness.recorded.events.map((event) => event.type)).toEqual(
      expect.arrayContaining(['project.changed', 'asset.changed']),
    );
    expect(await log()).toMatchObject([
      { action: 'project.deleted', noun_id: project, name: 'Harbour', detail: { count: 1, assets: 3 } },
    ]);
    await harness.inside((trx) => restoreProjects(trx, [project]));
    expect([await left('project'), await left('asset')]).toEqual([1, 3]);
  });

  it('reports deletes the records that only they asserted, logs each report by name, and cancels their jobs', async () => {
    const objects = manyVulnerabilities(4);
    const { fileId } = await harness.read('tide.json', bundle(objects.slice(0, 3)));
    await harness.extract(fileId);
    const kept = await harness.read('wind.json', bundle(objects.slice(2)));
    await harness.extract(kept.fileId);
    const waiting = await harness.store('tidal.json', bundle(objects));
    const jobId = await request({ noun: 'reports', filter: { search: 'tid' } });
    await runTwice(jobId);
    expect(await harness.job(jobId)).toMatchObject({
      state: 'succeeded',
      result: { matched: 2, changed: 2 },
    });
    expect([await left('report_file'), await left('file_content')]).toEqual([1, 1]);
    expect(
      await harness.inside((trx) => trx.selectFrom('vulnerability').select('source_file').execute()),
    ).toEqual([{ source_file: 'wind.json' }, { source_file: 'wind.json' }]);
    expect(await log()).toMatchObject([
      {
        action: 'report.deleted',
        noun: 'reports',
        name: 'tidal.json',
        detail: { vulnerability: 0, threat: 0 },
      },
      {
        action: 'report.deleted',
        noun_id: fileId,
        name: 'tide.json',
        detail: { vulnerability: 2, threat: 0 },
      },
    ]);
    expect(harness.recorded.topics).toContain(`job.${waiting.parseJobId}.cancelled`);
    expect(harness.recorded.events).toContainEqual(
      expect.objectContaining({ type: 'vulnerability.changed', action: 'deleted', count: 2 }) as unknown,
    );
  });

  it('rows counts those that no longer exist or were created after the request as skipped', async () => {
    const { assets } = await makeProject(2);
    const unknown = newId();
    const named = await request({ noun: 'assets', ids: [...assets, ...assets, unknown] });
    await harness.run(named);
    expect(await harness.job(named)).toMatchObject({
      result: { matched: 2, changed: 2, skipped: [{ reason: 'no longer exists', count: 1 }] },
    });
    await harness.read('first.json', bundle([vulnerability({ cves: ['CVE-1999-0001'] })]));
    const all = await request({ noun: 'reports', filter: {} });
    const later = await harness.read('later.json', bundle([vulnerability({ cves: ['CVE-1999-0002'] })]));
    await harness.run(all);
    expect(await harness.job(all)).toMatchObject({
      result: { matched: 1, changed: 1, skipped: [{ reason: 'created after the request', count: 1 }] },
    });
    expect(await harness.inside((trx) => trx.selectFrom('report_file').select('id').execute())).toEqual([
      { id: later.fileId },
    ]);
  });

  it.each(['assets', 'projects', 'reports'] as const)(
    '%s changes nothing when it is cancelled before its commit',
    async (noun) => {
      await makeProject(3);
      await harness.read('tide.json', bundle(manyVulnerabilities(2)));
      const jobId = await request({ noun, filter: {} });
      const before = await snapshot(harness);
      const done = crashPoint();
      const run = harness.run(jobId, { handlers: stopBeforeCommit(done) });
      await done.reached;
      await harness.inside((trx) =>
        sql`update job set state = 'cancelled', finished_at = now(), version = version + 1 where id = ${jobId}`.execute(
          trx,
        ),
      );
      done.open();
      await run;
      const { job: _after, ...after } = await snapshot(harness);
      const { job: _before, ...untouched } = before;
      expect(after).toEqual(untouched);
      expect(await harness.job(jobId)).toMatchObject({ state: 'cancelled', result: null });
    },
  );
});
