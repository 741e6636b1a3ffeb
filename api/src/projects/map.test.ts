import type { ProjectMap } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAsset, makeProject, makeRecords } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

const read = async (id: string): Promise<ProjectMap> =>
  (await ada.get(`/api/projects/${id}/map`)).json<ProjectMap>();

describe('the map of a project', () => {
  it('has its assets, worst first, the related assets of other projects, and their relations', async () => {
    const [harbour, quay] = [await makeProject(ada), await makeProject(ada, { name: 'Quay' })];
    const rack = await makeAsset(ada, quay._id, { name: 'rack' });
    await makeAsset(ada, quay._id, { name: 'unrelated' });
    const base = await makeAsset(ada, harbour._id, {
      name: 'base',
      criticality: 4,
      relatedAssets: [rack._id],
    });
    const app = await makeAsset(ada, harbour._id, { name: 'app', relatedAssets: [base._id] });
    const user = await makeAsset(ada, quay._id, {
      name: 'user',
      criticality: 5,
      relatedAssets: [app._id, rack._id],
    });
    await makeRecords(api, ada, { table: 'vulnerability', names: ['v'], assets: [app._id] });
    const { nodes, edges, ...counts } = await read(harbour._id);
    expect(nodes).toEqual([
      {
        _id: base._id,
        name: 'base',
        riskScore: 2.7,
        health: 'Healthy',
        projectId: harbour._id,
        projectName: 'Harbour',
      },
      {
        _id: app._id,
        name: 'app',
        riskScore: 0.2,
        health: 'Warning',
        projectId: harbour._id,
        projectName: 'Harbour',
      },
      {
        _id: user._id,
        name: 'user',
        riskScore: 3.3,
        health: 'Healthy',
        projectId: quay._id,
        projectName: 'Quay',
      },
      {
        _id: rack._id,
        name: 'rack',
        riskScore: 0,
        health: 'Healthy',
        projectId: quay._id,
        projectName: 'Quay',
      },
    ]);
    const texts = edges.map(({ from, to }) => `${from} ${to}`).toSorted();
    expect(texts).toEqual(
      [
        [base, rack],
        [app, base],
        [user, app],
        [user, rack],
      ]
        .map(([from, to]) => `${from?._id} ${to?._id}`)
        .toSorted(),
    );
    expect(counts).toEqual({ total: 2, leftOut: 0, truncated: false });
    expect(await read((await makeProject(ada))._id)).toEqual({
      nodes: [],
      edges: [],
      total: 0,
      leftOut: 0,
      truncated: false,
    });
  });

  it('of more than 2,000 assets says how many it leaves out, those with the lowest scores', async () => {
    const { inside } = rowMaker(api, ada);
    const [project, other] = [await makeProject(ada), await makeProject(ada, { name: 'Quay' })];
    const far = newId();
    await inside(async (trx) => {
      await sql`insert into asset (organization_id, id, project_id, name, asset_type_id, criticality)
        select current_organization(), gen_random_uuid(), ${project._id}::uuid, 'a' || n, 1, case when n <= 5 then 5 else 1 end
        from generate_series(1, 2010) n
        union all select current_organization(), ${far}::uuid, ${other._id}::uuid, 'far', 1, null`.execute(
        trx,
      );
      await sql`insert into asset_relation (organization_id, asset_id, related_id)
        select current_organization(), id, ${far}::uuid from asset where name in ('a1', 'a2')`.execute(trx);
    });
    const { nodes, total, leftOut, truncated, edges } = await read(project._id);
    expect([nodes.length, total, leftOut, truncated, edges.length]).toEqual([2000, 2010, 11, true, 2]);
    expect(nodes.slice(0, 5).map(({ riskScore }) => riskScore)).toEqual([3.3, 3.3, 3.3, 3.3, 3.3]);
    expect(nodes.at(-1)).toMatchObject({ _id: far, projectName: 'Quay' });
  });

  it('of an unknown or foreign project is not found', async () => {
    const { _id } = await makeProject(ada);
    const eve = await signUp(api);
    for (const id of [_id, strangeId()]) {
      const answer = await eve.get(`/api/projects/${id}/map`);
      expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
        404,
        'Project not found.',
      ]);
    }
  });
});
