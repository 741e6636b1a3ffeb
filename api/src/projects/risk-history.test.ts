import type { ProjectRiskHistory } from '@riskboard/contract/schemas';
import { withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAsset, makeProject } from '../testing/make-records.ts';
import { daysAgo } from '../testing/past-days.ts';
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

const read = (id: string, query = '') => ada.get(`/api/projects/${id}/risk-history${query}`);
const history = async (id: string, query = '') => (await read(id, query)).json<ProjectRiskHistory>();

interface Recorded {
  asset: string;
  day: string;
  score: number;
  vulnerabilities?: number;
}

const record = (records: readonly Recorded[]) =>
  withOrganization(api.database, ada.user.organizationId, async (trx) => {
    for (const { asset, day, score, vulnerabilities = 0 } of records)
      await sql`
        insert into asset_score (organization_id, asset_id, at, score, threat_count, vulnerability_count, cause)
        values (current_organization(), ${asset}, ${`${day}T10:00:00Z`}, ${score}, 0, ${vulnerabilities}, 'daily')`.execute(
        trx,
      );
  });

describe('the risk history of a project', () => {
  it('has the mean, the highest score and the assets at risk of each day, and a day without a record is a gap', async () => {
    const { _id: project } = await makeProject(ada);
    const { _id: other } = await makeProject(ada);
    const { _id: crane } = await makeAsset(ada, project);
    const { _id: lamp } = await makeAsset(ada, project);
    const { _id: elsewhere } = await makeAsset(ada, other);
    await record([
      { asset: crane, day: daysAgo(5), score: 2 },
      { asset: crane, day: daysAgo(3), score: 8 },
      { asset: lamp, day: daysAgo(3), score: 3, vulnerabilities: 4 },
      { asset: crane, day: daysAgo(2), score: 7.1 },
      { asset: elsewhere, day: daysAgo(4), score: 10 },
    ]);
    const { step, points, firstRecordedDay } = await history(project, `?to=${daysAgo(1)}`);
    expect([step, firstRecordedDay]).toEqual([1, daysAgo(5)]);
    expect(points).toEqual([
      { date: daysAgo(5), mean: 2, highest: 2, assets: 1, assetsAtRisk: 0 },
      { date: daysAgo(4), mean: null, highest: null, assets: 1, assetsAtRisk: 0 },
      { date: daysAgo(3), mean: 5.5, highest: 8, assets: 2, assetsAtRisk: 2 },
      // The lamp keeps its last record.
      { date: daysAgo(2), mean: 5.1, highest: 7.1, assets: 2, assetsAtRisk: 2 },
      { date: daysAgo(1), mean: null, highest: null, assets: 2, assetsAtRisk: 2 },
    ]);
    expect((await history(project, `?from=${daysAgo(3)}&to=${daysAgo(3)}`)).points).toEqual([points[2]]);
    expect((await history(project)).points.at(-1)).toMatchObject({ date: daysAgo(0), assets: 2 });
  });

  it('has at most 60 points, whole weeks apart, and the last one is the last day', async () => {
    const { _id: project } = await makeProject(ada);
    const { _id: crane } = await makeAsset(ada, project);
    await record([
      { asset: crane, day: daysAgo(400), score: 2 },
      { asset: crane, day: daysAgo(20), score: 4 },
    ]);
    const { step, points } = await history(project);
    expect([step, points.length, points.at(-1)?.date]).toEqual([7, 58, daysAgo(0)]);
    expect(points.filter(({ mean }) => mean !== null)).toHaveLength(3);
  });

  it('is empty without assets, and refuses an unknown project and a period that ends before it begins', async () => {
    const { _id: project } = await makeProject(ada);
    expect(await history(project)).toEqual({ step: 1, points: [], firstRecordedDay: null });
    expect((await read(strangeId())).statusCode).toBe(404);
    expect((await read(project, `?from=${daysAgo(1)}&to=${daysAgo(2)}`)).statusCode).toBe(422);
    expect((await read(project, '?from=0000-01-01&to=0000-01-02')).statusCode).toBe(422);
    const stranger = await signUp(api);
    expect((await stranger.get(`/api/projects/${project}/risk-history`)).statusCode).toBe(404);
  });
});
