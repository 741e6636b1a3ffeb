import type { AssetDetail, AssetScore } from '@riskboard/contract';
import { withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAsset, makeProject, put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let asset: AssetDetail;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  asset = await makeAsset(ada, (await makeProject(ada))._id, { confidentialityLevel: 3, criticality: 4 });
});
afterAll(() => api.close());

const score = async (id = asset._id): Promise<AssetScore> =>
  (await ada.get(`/api/assets/${id}/score`)).json<AssetScore>();
const create = async (noun: 'threats' | 'vulnerabilities', body: object) =>
  (await ada.post(`/api/${noun}`, body)).json<{ _id: string }>();
const threat = (name: string, riskLevel: number) =>
  create('threats', { name, description: 'd', threatTypeId: 1, riskLevel, relatedAssets: [asset._id] });
const vulnerability = (name: string, severity: number) =>
  create('vulnerabilities', { name, description: 'd', severity, relatedAssets: [asset._id] });

describe('the explanation of an asset score', () => {
  it('names the formula, the inputs, and what each level, threat and vulnerability adds, highest first', async () => {
    const low = await threat('Low tide', 10);
    const high = await threat('Night Pilots', 85);
    const flaw = await vulnerability('Crane firmware', 9.8);
    const { history: _history, ...explained } = await score();
    expect(explained).toMatchObject({
      score: 4.2,
      formula: expect.stringContaining('0.5 × threats'),
      inputs: {
        confidentialityLevel: 3,
        integrityLevel: null,
        availabilityLevel: null,
        criticality: 4,
        threatCount: 2,
        vulnerabilityCount: 1,
      },
      historyIsThinned: false,
    });
    expect(explained.contributions.map(({ what, value, adds, _id }) => [what, value, adds, _id])).toEqual([
      ['Confidentiality', 3, 1, null],
      ['Integrity', null, 0, null],
      ['Availability', null, 0, null],
      ['Criticality', 4, 2.667, null],
      ['Night Pilots', 85, 0.167, high._id],
      ['Low tide', 10, 0.167, low._id],
      ['Crane firmware', 9.8, 0.233, flaw._id],
      ['Rounding', null, -0.034, null],
    ]);
  });

  it('shows the status of each vulnerability, and says that every status counts', async () => {
    const { _id } = await vulnerability('Crane firmware', 9.8);
    await threat('Night Pilots', 85);
    const { score: before } = await score();
    await put(ada, `/api/vulnerabilities/${_id}`, { status: 'fixed' });
    const { contributions, formula, score: after } = await score();
    expect(after).toBe(before);
    expect(contributions.find((one) => one._id === _id)).toMatchObject({ status: 'fixed', adds: 0.233 });
    expect(contributions.filter(({ status }) => status !== undefined)).toHaveLength(1);
    expect(formula).toContain('of every status');
  });

  it('has the recorded scores with cause and person, newest last', async () => {
    const { _id } = await threat('Night Pilots', 85);
    await put(ada, `/api/assets/${asset._id}`, { criticality: 5 });
    await put(ada, `/api/threats/${_id}`, { relatedAssets: [] });
    const { history } = await score();
    expect(
      history.map(({ score: recorded, cause, by, threatCount }) => [recorded, cause, by, threatCount]),
    ).toEqual([
      [3.7, 'created', 'Ada', 0],
      [3.8, 'threat-related', 'Ada', 1],
      [4.5, 'levels', 'Ada', 1],
      [4.3, 'threat-unrelated', 'Ada', 0],
    ]);
    expect((await score()).score).toBe(4.3);
  });

  it('names 100 threats and sums the others, and the lines still add up to the score', async () => {
    await withOrganization(api.database, ada.user.organizationId, async (trx) => {
      await sql`insert into threat (organization_id, id, name, risk_level)
        select ${ada.user.organizationId}, gen_random_uuid(), 'T' || n, n % 100 from generate_series(1, 130) n`.execute(
        trx,
      );
      await sql`insert into threat_asset (organization_id, threat_id, asset_id)
        select organization_id, id, ${asset._id} from threat`.execute(trx);
    });
    const { contributions, score: total } = await score();
    expect(contributions.filter(({ part }) => part === 'threat')).toHaveLength(100);
    expect(contributions.find(({ part }) => part === 'other-threats')).toMatchObject({ value: 30, adds: 5 });
    const thousandths = contributions.reduce((sum, { adds }) => sum + Math.round(adds * 1000), 0);
    expect([total, thousandths]).toEqual([10, 10_000]);
  });

  it('of more than 400 records has the last one of each of the newest 400 days', async () => {
    await withOrganization(api.database, ada.user.organizationId, (trx) =>
      sql`insert into asset_score (organization_id, asset_id, at, score, threat_count, vulnerability_count, cause)
        select ${ada.user.organizationId}, ${asset._id},
          date_trunc('day', now(), 'UTC') - make_interval(days => n / 2, hours => case n % 2 when 0 then 12 else 6 end),
          n % 10, 0, 0, 'daily'
        from generate_series(2, 901) n`.execute(trx),
    );
    const { history, historyIsThinned } = await score();
    const days = history.map(({ at }) => at.slice(0, 10));
    expect(historyIsThinned).toBe(true);
    expect(history).toHaveLength(400);
    expect(new Set(days).size).toBe(400);
    expect(days).toEqual(days.toSorted());
    expect(history.at(-1)?.cause).toBe('created');
  });

  it('is not found for an unknown asset', async () => {
    expect((await ada.get(`/api/assets/${strangeId()}/score`)).statusCode).toBe(404);
  });
});
