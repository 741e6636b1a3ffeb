import type { JobKind, JobPayload } from '@riskboard/contract';
import { deleteAssets, insertJob, newId, restoreAssets, restoreRecords } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { snapshot } from '../../testing/snapshot.ts';
import { bundle, manyVulnerabilities } from '../../testing/stix2.ts';
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

type Noun = JobPayload<'records.restore'>['noun'];

async function run<K extends JobKind>(kind: K, payload: JobPayload<K>): Promise<string> {
  const { organizationId } = harness;
  const id = await harness.inside((trx) => insertJob(trx, { kind, payload, organizationId }));
  await harness.run(id);
  return id;
}

const deleteAll = (noun: Noun) => run('records.delete', { noun, filter: {} });

/** Runs the restoration twice, as a queue may, and returns its result. */
async function restore(noun: Noun, deletionId: string): Promise<unknown> {
  const id = await run('records.restore', { noun, deletionId });
  const after = await snapshot(harness);
  await harness.run(id);
  expect(await snapshot(harness)).toEqual(after);
  const { state, result } = await harness.job(id);
  expect(state).toBe('succeeded');
  return result;
}

const idsIn = async (table: 'asset' | 'project' | 'vulnerability' | 'deleted_record') =>
  (await harness.inside((trx) => trx.selectFrom(table).select('id').orderBy('id').execute())).map(
    ({ id }) => id,
  );

/** A project with three assets, of which each depends on the next. */
async function makeProject(): Promise<{ project: string; assets: string[] }> {
  const project = newId();
  const assets = [newId(), newId(), newId()];
  const common = { organization_id: harness.organizationId };
  await harness.inside(async (trx) => {
    const row = { ...common, id: project, name: 'Harbour', start_date: '2026-01-01' };
    await trx.insertInto('project').values(row).execute();
    const rows = assets.map((id, n) => ({
      ...common,
      id,
      name: `Crane ${n}`,
      project_id: project,
      asset_type_id: 1,
    }));
    await trx.insertInto('asset').values(rows).execute();
    const [first = '', second = '', third = ''] = assets;
    await trx
      .insertInto('asset_relation')
      .values([
        { ...common, asset_id: first, related_id: second },
        { ...common, asset_id: second, related_id: third },
      ])
      .execute();
  });
  return { project, assets };
}

const relations = () =>
  harness.inside((trx) =>
    trx.selectFrom('asset_relation').select(['asset_id', 'related_id']).orderBy('asset_id').execute(),
  );

const passed = 'restored before, or deleted more than 30 days ago';
const of = (restorable: Noun, changed: number, skipped: { reason: string; count: number }[] = []) => ({
  matched: changed,
  changed,
  unchanged: 0,
  skipped,
  restorable,
});

describe('a job that restores what another job deleted', () => {
  it('restores vulnerabilities with their assets and reports, and publishes and logs it', async () => {
    const { assets } = await makeProject();
    const { fileId } = await harness.read('tide.json', bundle(manyVulnerabilities(3)));
    await harness.extract(fileId);
    const all = await idsIn('vulnerability');
    const [related = ''] = all;
    const [asset = ''] = assets;
    await harness.inside((trx) =>
      trx
        .insertInto('vulnerability_asset')
        .values({ organization_id: harness.organizationId, vulnerability_id: related, asset_id: asset })
        .execute(),
    );
    const deletion = await deleteAll('vulnerabilities');
    expect(await idsIn('vulnerability')).toEqual([]);
    harness.recorded.events.length = 0;
    expect(await restore('vulnerabilities', deletion)).toEqual(of('vulnerabilities', 3));
    expect(await idsIn('vulnerability')).toEqual(all);
    const { rows } = await harness.inside((trx) =>
      sql`select asset_id, (select count(*)::int from report_record where vulnerability_id is not null) as linked
        from vulnerability_asset`.execute(trx),
    );
    expect(rows).toEqual([{ asset_id: asset, linked: 3 }]);
    expect(harness.recorded.events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'vulnerability.changed', action: 'created', count: 3 }),
        expect.objectContaining({ type: 'asset.changed', action: 'updated', ids: [asset] }),
      ]),
    );
    const undone = harness.recorded.events.flatMap((event) =>
      event.type === 'job.updated' && event.job._id === deletion ? event.job.result : [],
    );
    expect(undone).toMatchObject([{ changed: 3, restoration: { count: 3, isComplete: true } }]);
    const log = await harness.inside((trx) =>
      trx.selectFrom('activity').select(['action', 'name']).where('action', 'like', '%.restored').execute(),
    );
    expect(log).toEqual([{ action: 'vulnerability.restored', name: '3 vulnerabilities' }]);
  });

  it('restores assets with their relations', async () => {
    const { assets } = await makeProject();
    const before = await relations();
    expect(await restore('assets', await deleteAll('assets'))).toEqual(of('assets', 3));
    expect(await idsIn('asset')).toEqual(assets.toSorted());
    expect(await relations()).toEqual(before);
  });

  it('logs a single record by its name', async () => {
    const { project } = await makeProject();
    await restore('projects', await deleteAll('projects'));
    const log = await harness.inside((trx) =>
      trx
        .selectFrom('activity')
        .select(['action', 'noun_id', 'name', 'detail'])
        .where('noun', '=', 'projects')
        .orderBy('id')
        .execute(),
    );
    const named = { noun_id: project, name: 'Harbour', detail: { count: 1, assets: 3 } };
    expect(log).toEqual([
      { action: 'project.deleted', ...named },
      { action: 'project.restored', ...named },
    ]);
  });

  it('restores projects with their assets', async () => {
    const { project, assets } = await makeProject();
    expect(await restore('projects', await deleteAll('projects'))).toEqual(of('projects', 1));
    expect([await idsIn('project'), await idsIn('asset')]).toEqual([[project], assets.toSorted()]);
    expect(await idsIn('deleted_record')).toEqual([]);
  });

  it('leaves what was restored before, and what was deleted again by another request', async () => {
    const { assets } = await makeProject();
    const [first = '', second = ''] = assets;
    const deletion = await deleteAll('assets');
    await harness.inside((trx) => restoreAssets(trx, [first, second]));
    await harness.inside((trx) => deleteAssets(trx, { ids: [second], by: null }));
    expect(await restore('assets', deletion)).toEqual(of('assets', 1, [{ reason: passed, count: 2 }]));
    expect(await idsIn('asset')).not.toContain(second);
    expect(await restore('assets', deletion)).toEqual(of('assets', 0, [{ reason: passed, count: 3 }]));
    expect(await idsIn('deleted_record')).toEqual([second]);
  });

  it('adds what it restored to the result of the deletion, which is undone when none is left in the trash', async () => {
    const { project } = await makeProject();
    await makeProject();
    const deletion = await deleteAll('assets');
    const { version } = await harness.job(deletion);
    const ofProject = await run('records.delete', { noun: 'projects', ids: [project] });
    await restore('assets', deletion);
    expect((await harness.job(deletion)).result).toMatchObject({
      changed: 6,
      restoration: { count: 3, isComplete: false },
    });
    await restore('projects', ofProject);
    await restore('assets', deletion);
    const { result, version: last } = await harness.job(deletion);
    expect(result).toMatchObject({ changed: 6, restoration: { count: 6, isComplete: true } });
    expect(last).toBe(version + 2);
  });

  it('says how many rows are no longer in the trash, and how many stay there', async () => {
    const { project, assets } = await makeProject();
    const deletion = await deleteAll('assets');
    await harness.inside((trx) => sql`delete from deleted_record where id = ${assets[0]}`.execute(trx));
    await deleteAll('projects');
    expect(await idsIn('project')).not.toContain(project);
    expect(await restore('assets', deletion)).toEqual(
      of('assets', 0, [
        { reason: passed, count: 1 },
        { reason: 'their project was deleted', count: 2 },
      ]),
    );
  });

  it('restores nothing of a deletion of an older version, whose result has no time', async () => {
    await makeProject();
    const deletion = await deleteAll('assets');
    await harness.inside((trx) =>
      sql`update job set result = result - 'deletedAt' - 'restorable' where id = ${deletion}`.execute(trx),
    );
    expect(await restore('assets', deletion)).toMatchObject({ changed: 0 });
  });

  it('restores each row once when a request restores some of them at the same time', async () => {
    const { fileId } = await harness.read('tide.json', bundle(manyVulnerabilities(20)));
    await harness.extract(fileId);
    const all = await idsIn('vulnerability');
    const deletion = await deleteAll('vulnerabilities');
    const [restored] = await Promise.all([
      restore('vulnerabilities', deletion) as Promise<{ changed: number }>,
      harness.inside((trx) => restoreRecords(trx, 'vulnerability', all.slice(0, 5))),
    ]);
    expect([15, 20]).toContain(restored.changed);
    expect(await idsIn('vulnerability')).toEqual(all);
    expect(await idsIn('deleted_record')).toEqual([]);
  });
});
