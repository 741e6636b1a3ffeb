import type { JobPayload } from '@riskboard/contract';
import { deleteProjectsInBatches, insertJob, newId } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { snapshot } from '../../testing/snapshot.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let harbour: string;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  harbour = await makeProject('Harbour');
});

async function makeProject(name: string): Promise<string> {
  const id = newId();
  const row = { organization_id: harness.organizationId, id, name, start_date: '2026-01-01' };
  await harness.inside((trx) => trx.insertInto('project').values(row).execute());
  return id;
}

/** Creates assets in Harbour; every second one has criticality 5, the others none. */
async function makeAssets(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    organization_id: harness.organizationId,
    id: newId(),
    name: `Crane ${n}`,
    project_id: harbour,
    asset_type_id: 1,
    criticality: n % 2 === 0 ? 5 : null,
  }));
  await harness.inside((trx) => trx.insertInto('asset').values(rows).execute());
}

type Change = JobPayload<'records.update'>['change'];
const request = (columns: Change['columns'], filter: object = {}, relations?: Change['relations']) =>
  harness.inside((trx) =>
    insertJob(trx, {
      kind: 'records.update',
      payload: {
        noun: 'assets',
        filter: { ...filter },
        change: { columns, addAssets: [], removeAssets: [], ...(relations && { relations }) },
      },
      organizationId: harness.organizationId,
    }),
  );

const assets = () => harness.inside((trx) => trx.selectFrom('asset').selectAll().orderBy('name').execute());

const assetChanges = () => harness.recorded.events.filter(({ type }) => type === 'asset.changed');

describe('a job that changes selected assets', () => {
  it('sets the columns, counts assets that have them already, logs project names, and changes nothing twice', async () => {
    await makeAssets(600);
    const quay = await makeProject('Quay');
    const jobId = await request({ criticality: 5, project_id: quay });
    await harness.run(jobId);
    expect(await harness.job(jobId)).toMatchObject({
      state: 'succeeded',
      result: { matched: 600, changed: 600, unchanged: 0, skipped: [] },
    });
    const changed = await assets();
    expect(new Set(changed.map((row) => `${row.criticality} ${row.project_id} ${row.version}`))).toEqual(
      new Set([`5 ${quay} 2`]),
    );
    expect(harness.recorded.events).toContainEqual({
      type: 'asset.changed',
      action: 'updated',
      by: null,
      count: 600,
    });
    const log = await harness.inside((trx) =>
      trx.selectFrom('activity').select(['action', 'noun', 'name', 'detail']).execute(),
    );
    expect(log).toEqual([
      {
        action: 'asset.updated-many',
        noun: 'assets',
        name: '600 assets',
        detail: {
          count: 600,
          changes: { criticality: { from: null, to: 5 }, project: { from: 'Harbour', to: 'Quay' } },
        },
      },
    ]);
    const after = await snapshot(harness);
    await harness.run(jobId);
    expect(await snapshot(harness)).toEqual(after);
  });

  it('selects by derived columns, and leaves out assets that have the value', async () => {
    await makeAssets(10);
    const jobId = await request({ criticality: 5 }, { riskScoreMax: 3.3 });
    await harness.run(jobId);
    expect(await harness.job(jobId)).toMatchObject({ result: { matched: 10, changed: 5, unchanged: 5 } });
  });

  it('fails with the reason when the project was deleted since the request, and changes nothing', async () => {
    await makeAssets(3);
    const quay = await makeProject('Quay');
    const jobId = await request({ project_id: quay });
    await harness.inside((trx) => deleteProjectsInBatches(trx, { ids: [quay], by: null }, () => undefined));
    const before = await assets();
    await harness.run(jobId);
    expect(await harness.job(jobId)).toMatchObject({ state: 'failed', error_code: 'project_deleted' });
    expect(await assets()).toEqual(before);
  });

  it('relates records to all of them: each record gets one version, one log entry and one event', async () => {
    await makeAssets(600);
    const [known, missing] = [newId(), newId()];
    const row = { organization_id: harness.organizationId, id: known, name: 'Leak', key: 'cve:CVE-2024-1' };
    await harness.inside((trx) => trx.insertInto('vulnerability').values(row).execute());
    const none = { threats: [], vulnerabilities: [] };
    const relations = { add: { threats: [missing], vulnerabilities: [known, missing] }, remove: none };
    const jobId = await request({}, {}, relations);
    await harness.run(jobId);
    expect(await harness.job(jobId)).toMatchObject({
      state: 'succeeded',
      result: { matched: 600, changed: 600, unchanged: 0 },
    });
    expect((await assets()).every((asset) => asset.vulnerability_count === 1 && asset.version === 1)).toBe(
      true,
    );
    const vulnerability = await harness.inside((trx) =>
      trx.selectFrom('vulnerability').selectAll().executeTakeFirstOrThrow(),
    );
    expect(vulnerability).toMatchObject({ version: 2, edited_fields: ['related_assets'] });
    expect(assetChanges()).toEqual([{ type: 'asset.changed', action: 'updated', by: null, count: 600 }]);
    expect(harness.recorded.events).toContainEqual(
      expect.objectContaining({ type: 'vulnerability.changed', ids: [known], count: 1 }) as unknown,
    );
    const log = await harness.inside((trx) =>
      trx.selectFrom('activity').select(['action', 'name']).orderBy('id').execute(),
    );
    expect(log).toEqual([
      { action: 'asset.updated-many', name: '600 assets' },
      { action: 'vulnerability.updated-many', name: '1 vulnerability' },
    ]);
    const after = await snapshot(harness);
    await harness.run(jobId);
    expect(await snapshot(harness)).toEqual(after);
  });
});

describe('a job that changes or deletes vulnerabilities', () => {
  async function makeVulnerabilities(): Promise<void> {
    const rows = ['CVE-2024-1', 'CVE-2024-2'].map((cve) => ({
      organization_id: harness.organizationId,
      id: newId(),
      name: cve,
      key: `cve:${cve}`,
    }));
    await harness.inside((trx) => trx.insertInto('vulnerability').values(rows).execute());
  }

  /** Runs a job on all vulnerabilities. @returns the events about assets that it published */
  async function runOnAll(kind: 'records.update' | 'records.delete', change?: object) {
    const payload = { noun: 'vulnerabilities' as const, filter: {}, ...(change && { change }) };
    const jobId = await harness.inside((trx) =>
      insertJob(trx, { kind, payload, organizationId: harness.organizationId }),
    );
    harness.recorded.events.length = 0;
    await harness.run(jobId);
    expect(await harness.job(jobId)).toMatchObject({ state: 'succeeded', result: { changed: 2 } });
    return assetChanges();
  }

  it('publishes each asset whose relations it changed once, and no event about assets otherwise', async () => {
    await makeAssets(3);
    const [first = '', second = ''] = (await assets()).map(({ id }) => id);
    await makeVulnerabilities();
    const change = { columns: {}, addAssets: [], removeAssets: [] };
    const published = (ids: string[]) => [
      {
        type: 'asset.changed',
        action: 'updated',
        by: null,
        count: ids.length,
        ids: expect.arrayContaining(ids) as unknown,
      },
    ];
    expect(await runOnAll('records.update', { ...change, columns: { status: 'fixed' } })).toEqual([]);
    expect(await runOnAll('records.update', { ...change, addAssets: [first, second] })).toEqual(
      published([first, second]),
    );
    expect(await runOnAll('records.update', { ...change, removeAssets: [second] })).toEqual(
      published([second]),
    );
    expect(await runOnAll('records.delete')).toEqual(published([first]));
  });

  it('publishes no event about assets when the deleted vulnerabilities had none', async () => {
    await makeVulnerabilities();
    expect(await runOnAll('records.delete')).toEqual([]);
  });
});
