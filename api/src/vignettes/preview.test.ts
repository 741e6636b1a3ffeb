import { mostPreviewed, type VignettePreview } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { makeVignette, vignetteUrl } from '../testing/vignettes.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

const rated = (impact: 'Read data' | 'Hide activities', subscore: number) =>
  ({ impact, layer: 'Application', subscore, notes: '' }) as const;

const vulnerability = async (name: string, cwe: string[]): Promise<string> =>
  (await rowMaker(api, ada).make('vulnerability', [{ name, cwe }]))[0] ?? '';
const preview = async (body: object): Promise<VignettePreview> => {
  const answer = await ada.post(`${vignetteUrl}/preview`, body);
  expect(answer.statusCode).toBe(200);
  return answer.json<VignettePreview>();
};

describe('a preview of a scorecard', () => {
  it('shows how scores and ranks move against the stored version, and stores nothing', async () => {
    // CWE-200: Read Application Data; CWE-223: Hide Activities.
    const leak = await vulnerability('Leak', ['CWE-200']);
    const hidden = await vulnerability('Hidden', ['CWE-223']);
    await vulnerability('Without a weakness', []);
    const vignetteId = await makeVignette(api, ada, {
      scorecard: [rated('Read data', 2), rated('Hide activities', 5)],
    });
    const before = await rowsOf();
    const shown = await preview({
      vignetteId,
      scorecard: [rated('Read data', 9), rated('Hide activities', 5)],
    });
    expect(shown).toMatchObject({ vulnerabilities: 3, calculated: 3, higher: 1, lower: 0, unchanged: 2 });
    expect(shown.moves).toMatchObject([
      {
        _id: leak,
        name: 'Leak',
        cwe: ['CWE-200'],
        impactBefore: 'Read data',
        impactAfter: 'Read data',
        rankBefore: 3,
        rankAfter: 1,
      },
    ]);
    const [move] = shown.moves;
    expect(move?.after).toBeGreaterThan(move?.before ?? 100);
    expect(shown.meanAfter).toBeGreaterThan(shown.meanBefore ?? 100);
    const lower = await preview({
      vignetteId,
      scorecard: [rated('Read data', 2), rated('Hide activities', 0)],
    });
    expect(lower.moves).toMatchObject([{ _id: hidden, after: 0, rankAfter: 3 }]);
    expect(await rowsOf()).toEqual(before);
  });

  it('of the stored scorecard moves nothing', async () => {
    await vulnerability('Leak', ['CWE-200']);
    const scorecard = [rated('Read data', 2)];
    const vignetteId = await makeVignette(api, ada, { scorecard });
    expect(await preview({ vignetteId, scorecard })).toMatchObject({
      higher: 0,
      lower: 0,
      unchanged: 1,
      moves: [],
    });
  });

  it('of a new vignette starts from scores without a rating', async () => {
    await vulnerability('Leak', ['CWE-200']);
    const { moves } = await preview({ scorecard: [rated('Read data', 10)] });
    expect(moves).toMatchObject([{ impactBefore: null, impactAfter: 'Read data' }]);
    const unrated = await preview({ scorecard: [rated('Hide activities', 10)] });
    expect(unrated.moves).toEqual([]);
  });

  it('is empty without vulnerabilities', async () => {
    expect(await preview({ scorecard: [rated('Read data', 1)] })).toEqual({
      vulnerabilities: 0,
      calculated: 0,
      higher: 0,
      lower: 0,
      unchanged: 0,
      meanBefore: null,
      meanAfter: null,
      moves: [],
    });
  });

  it('calculates those with the highest severity when there are too many, and lists 50', async () => {
    await insertMany(mostPreviewed + 10);
    const shown = await preview({ scorecard: [rated('Read data', 10)] });
    expect(shown).toMatchObject({ vulnerabilities: mostPreviewed + 10, calculated: mostPreviewed });
    expect([shown.higher, shown.lower, shown.unchanged, shown.moves.length]).toEqual([
      mostPreviewed,
      0,
      0,
      50,
    ]);
    expect(shown.moves.some(({ name }) => name === 'Least')).toBe(false);
  });

  it('with a cell twice or an unknown vignette is refused', async () => {
    const twice = await ada.post(`${vignetteUrl}/preview`, {
      scorecard: [rated('Read data', 1), rated('Read data', 2)],
    });
    expect(twice.statusCode).toBe(422);
    const unknown = await ada.post(`${vignetteUrl}/preview`, {
      vignetteId: '01890000-0000-7000-8000-000000000000',
      scorecard: [rated('Read data', 1)],
    });
    expect(unknown.statusCode).toBe(404);
  });
});

/** Everything that a preview could write. */
const rowsOf = () =>
  asWorker(api, ada).inside(async (trx) => {
    const { rows } = await sql`
      select (select jsonb_agg(v order by id) from vulnerability v) as vulnerabilities,
        (select count(*) from cwss_score) as scores, (select count(*) from vignette_version) as versions,
        (select count(*) from activity) as entries, (select count(*) from job) as jobs`.execute(trx);
    return rows;
  });

/** Ten of them have a lower severity. */
const insertMany = (count: number) =>
  asWorker(api, ada).inside((trx) =>
    sql`insert into vulnerability (organization_id, id, name, cwe, severity)
      select current_organization(), gen_random_uuid(), case when n <= 10 then 'Least' else 'Leak ' || n end,
        array['CWE-200'], case when n <= 10 then null else 5 end
      from generate_series(1, ${count}::integer) n`.execute(trx),
  );
