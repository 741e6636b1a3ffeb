import type { ActivityEntry, ProjectDeletion, ProjectMetrics, ProjectRisk } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAsset, makeProject, makeRecords, names } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
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

const total = async (path: string): Promise<number> => (await ada.get(path)).json<{ total: number }>().total;

interface Counted {
  count: number;
  list: string;
}

const listed = (counts: readonly Counted[]) =>
  Promise.all(counts.map(async ({ list }) => ({ count: await total(list), list })));

/** Two projects: the first has three assets with related records, the second has one asset and one threat. */
async function harbour() {
  const { _id: projectId } = await makeProject(ada);
  const other = await makeProject(ada, { status: 'on-hold' });
  await makeProject(ada, { status: 'completed' });
  const crane = await makeAsset(ada, projectId, {
    criticality: 5,
    confidentialityLevel: 5,
    integrityLevel: 4,
  });
  const kiosk = await makeAsset(ada, projectId, { criticality: 4, relatedAssets: [crane._id] });
  const lamp = await makeAsset(ada, projectId);
  const elsewhere = await makeAsset(ada, other._id, { relatedAssets: [kiosk._id] });
  const record = (table: 'threat' | 'vulnerability', assets: string[], columns: object) =>
    makeRecords(api, ada, { table, names: ['x'], assets, columns });
  for (const severity of [9, 8.9, 7, 4, 3.9, null])
    await record('vulnerability', [crane._id, kiosk._id], { severity });
  await record('vulnerability', [crane._id], { severity: 10, status: 'fixed' });
  for (const level of [61, 60, 31, 30, 0, null]) await record('threat', [kiosk._id], { risk_level: level });
  await record('threat', [elsewhere._id], { risk_level: 90 });
  await record('vulnerability', [], { severity: 10 });
  return { projectId, lamp, kiosk, other };
}

describe('the metrics of the project dashboard', () => {
  it('equal the totals of the lists that their cards open', async () => {
    await harbour();
    const metrics = (await ada.get('/api/projects/metrics')).json<ProjectMetrics>();
    expect(metrics).toEqual({
      active: 1,
      completed: 1,
      onHold: 1,
      assets: 4,
      threats: 7,
      vulnerabilities: 8,
    });
    const counts = [
      { count: metrics.active, list: '/api/projects?status=active' },
      { count: metrics.completed, list: '/api/projects?status=completed' },
      { count: metrics.onHold, list: '/api/projects?status=on-hold' },
      { count: metrics.assets, list: '/api/assets' },
      { count: metrics.threats, list: '/api/threats' },
      { count: metrics.vulnerabilities, list: '/api/vulnerabilities' },
    ];
    expect(await listed(counts)).toEqual(counts);
  });

  it('count nothing of another organization', async () => {
    await harbour();
    const stranger = await signUp(api);
    expect((await stranger.get('/api/projects/metrics')).json()).toEqual({
      active: 0,
      completed: 0,
      onHold: 0,
      assets: 0,
      threats: 0,
      vulnerabilities: 0,
    });
  });
});

describe('the risk of a project', () => {
  const read = async (id: string) => (await ada.get(`/api/projects/${id}/risk`)).json<ProjectRisk>();

  it('counts its assets, and each related vulnerability and threat once, by band', async () => {
    const { projectId } = await harbour();
    expect(await read(projectId)).toEqual({
      assets: {
        total: 3,
        byHealth: { Healthy: 1, Warning: 0, Critical: 2 },
        byScore: { low: 1, medium: 1, high: 1 },
      },
      vulnerabilities: {
        total: 7,
        open: 6,
        bySeverity: { critical: 1, high: 2, medium: 1, low: 1, none: 1 },
      },
      threats: { total: 6, byRisk: { high: 1, medium: 2, low: 2, none: 1 } },
    });
  });

  it('has counts that equal the totals of the lists that they open', async () => {
    const { projectId } = await harbour();
    const { assets, vulnerabilities, threats } = await read(projectId);
    const counts: Counted[] = [
      ...Object.entries(assets.byHealth).map(([health, count]) => ({
        count,
        list: `/api/assets?projectId=${projectId}&health=${health}`,
      })),
      { count: assets.byScore.low, list: `/api/assets?projectId=${projectId}&riskScoreMax=2.9` },
      {
        count: assets.byScore.medium,
        list: `/api/assets?projectId=${projectId}&riskScoreMin=3&riskScoreMax=6.9`,
      },
      { count: assets.byScore.high, list: `/api/assets?projectId=${projectId}&riskScoreMin=7` },
      ...Object.entries(vulnerabilities.bySeverity).map(([severity, count]) => ({
        count,
        list: `/api/vulnerabilities?projectId=${projectId}&status=open&severity=${severity === 'none' ? 'N/A' : severity}`,
      })),
      { count: vulnerabilities.total, list: `/api/vulnerabilities?projectId=${projectId}` },
      ...Object.entries(threats.byRisk).map(([risk, count]) => ({
        count,
        list: `/api/threats?projectId=${projectId}&risk=${risk === 'none' ? 'N/A' : risk}`,
      })),
      { count: threats.total, list: `/api/threats?projectId=${projectId}` },
    ];
    expect(await listed(counts)).toEqual(counts);
  });

  it('of a project without assets is zero everywhere', async () => {
    const { _id } = await makeProject(ada);
    expect(await read(_id)).toMatchObject({
      assets: { total: 0, byScore: { low: 0 } },
      vulnerabilities: { total: 0, open: 0 },
      threats: { total: 0, byRisk: { none: 0 } },
    });
  });

  it.each(['risk', 'deletion-preview'])('%s of an unknown project is 404', async (part) => {
    const answer = await ada.get(`/api/projects/${strangeId()}/${part}`);
    expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
      404,
      'Project not found.',
    ]);
  });
});

describe('the deletion preview of a project', () => {
  it('counts what is deleted and what stays, as the deletion then does', async () => {
    const { projectId } = await harbour();
    const preview = (await ada.get(`/api/projects/${projectId}/deletion-preview`)).json<ProjectDeletion>();
    expect(preview).toEqual({ assets: 3, dependencies: 2, relations: 19, threats: 6, vulnerabilities: 7 });
    const before = {
      threats: await total('/api/threats'),
      vulnerabilities: await total('/api/vulnerabilities'),
    };
    await ada.delete(`/api/projects/${projectId}`);
    expect(await total('/api/assets')).toBe(1);
    expect(await total('/api/threats')).toBe(before.threats);
    expect(await total('/api/vulnerabilities')).toBe(before.vulnerabilities);
  });
});

describe('the activity of a project', () => {
  const read = async (id: string) =>
    (await ada.get(`/api/activity?projectId=${id}&sort=at`)).json<{ activity: ActivityEntry[] }>().activity;

  it('has the entries about the project and its assets, also about an asset that was deleted', async () => {
    const { _id } = await makeProject(ada, { name: 'Quay' });
    const other = await makeProject(ada, { name: 'Other' });
    const asset = await makeAsset(ada, _id, { name: 'Crane' });
    await makeAsset(ada, other._id, { name: 'Elsewhere' });
    await ada.delete(`/api/assets/${asset._id}`);
    const entries = await read(_id);
    expect(entries.map(({ action }) => action)).toEqual([
      'project.created',
      'asset.created',
      'asset.deleted',
    ]);
    expect(names(entries)).toEqual(['Quay', 'Crane', 'Crane']);
  });
});
