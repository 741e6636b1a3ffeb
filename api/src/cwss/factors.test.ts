import type { ActivityEntry, CwssFactorChanges, ErrorReply, VulnerabilityDetail } from '@riskboard/contract';
import { markStale } from '@riskboard/db';
import { cwssOrder } from '@riskboard/domain';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { makeRecords, publishedChanges, put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
import { calculateScore, explanationOf } from '../testing/scores.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { makeVignette } from '../testing/vignettes.ts';

let api: TestApi;
let ada: Person;
let id: string;
let vignetteId: string;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  const columns = { cwe: ['CWE-79'] };
  [id = ''] = await makeRecords(api, ada, { table: 'vulnerability', names: ['Script in names'], columns });
  vignetteId = await makeVignette(api, ada);
  api.relay.published.length = 0;
});
afterAll(() => api.close());

const inside: ReturnType<typeof asWorker>['inside'] = (work) => asWorker(api, ada).inside(work);
const calculate = () => calculateScore(api, ada, { id, vignetteId });
const url = (of = id): string => `/api/vulnerabilities/${of}/cwss/factors`;
const set = (body: CwssFactorChanges, person = ada) => put(person, url(), body);
const reason = 'Seen in the test of May.';
const record = async (): Promise<VulnerabilityDetail> =>
  (await ada.get(`/api/vulnerabilities/${id}`)).json<VulnerabilityDetail>();
const storedFactors = async (): Promise<string[]> => {
  const { rows } = await inside((trx) =>
    sql<{ factor: string }>`select factor from cwss_override order by factor`.execute(trx),
  );
  return rows.map(({ factor }) => factor);
};
const log = async (): Promise<ActivityEntry[]> =>
  (await ada.get(`/api/activity?action=vulnerability.factors-changed&sort=at`)).json<{
    activity: ActivityEntry[];
  }>().activity;

describe('PUT /api/vulnerabilities/{id}/cwss/factors', () => {
  it('before the first calculation keeps the factors for it, and the reply has score null', async () => {
    const answer = await set({ AP: { value: 'A', reason }, BI: { value: 'Q', weight: 0.75, reason } });
    expect(answer.statusCode).toBe(200);
    const by = { by: 'Ada', at: expect.any(String), reason };
    expect(answer.json()).toEqual({
      score: null,
      overrides: { AP: { value: 'A', weight: 1, ...by }, BI: { value: 'Q', weight: 0.75, ...by } },
    });
    expect(await record()).toMatchObject({ cwssScore: null, cwssState: null, cwssOverrides: ['AP', 'BI'] });
    await calculate();
    const { factors, overrides } = await explanationOf(ada, id);
    expect(factors.find(({ code }) => code === 'AP')).toMatchObject({
      value: 'A',
      weight: 1,
      source: 'analyst',
      reason,
      suggested: { value: 'D', weight: 0.7 },
    });
    expect(factors.find(({ code }) => code === 'BI')).toMatchObject({ value: 'Q', weight: 0.75 });
    expect(Object.keys(overrides)).toEqual(['AP', 'BI']);
  });

  it('stores a new score with the cause factors, and removes a factor with null', async () => {
    await calculate();
    const before = await explanationOf(ada, id);
    const answer = await set({ EX: { value: 'N', reason } });
    expect(answer.json()).toMatchObject({
      version: 2,
      cause: 'factors',
      calculatedBy: 'Ada',
      stale: false,
      history: [
        { version: 2, cause: 'factors', changes: [expect.stringMatching(/^EX: [A-Z]+ to N$/u)] },
        { version: 1 },
      ],
    });
    const { score } = answer.json<{ score: number }>();
    expect(score).toBeLessThan(before.score);
    expect(await record()).toMatchObject({ cwssScore: score, cwssOverrides: ['EX'], cwssState: 'current' });
    const removed = await set({ EX: null });
    expect(removed.json()).toMatchObject({
      version: 3,
      score: before.score,
      vector: before.vector,
      overrides: {},
    });
    expect(await record()).toMatchObject({ cwssScore: before.score, cwssOverrides: [] });
  });

  it('leaves the other factors as they are', async () => {
    await set({ AP: { value: 'A', reason }, TI: { value: 'C', reason } });
    await set({ EX: { value: 'H', reason }, AP: null });
    expect(await storedFactors()).toEqual(['EX', 'TI']);
  });

  it('that change nothing store no score, no activity and publish no event', async () => {
    await calculate();
    await set({ AP: { value: 'A', reason } });
    api.relay.published.length = 0;
    for (const body of [{}, { AP: { value: 'A', reason } }, { EX: null }]) {
      const answer = await set(body);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ version: 2 });
    }
    expect(await log()).toHaveLength(1);
    expect(publishedChanges(api)).toEqual([]);
  });

  it('record who set what, and publish the change', async () => {
    await set({ AP: { value: 'A', reason }, BI: { value: 'Q', weight: 0.5, reason } });
    await set({ AP: { value: 'P', reason }, BI: null });
    expect(publishedChanges(api)).toEqual([
      'vulnerability.changed updated 1',
      'vulnerability.changed updated 1',
    ]);
    const own = { actorId: ada.user._id, nounId: id, name: 'Script in names' };
    expect(await log()).toMatchObject([
      {
        ...own,
        detail: {
          changes: {
            AP: { from: null, to: 'A' },
            'AP reason': { from: null, to: reason },
            BI: { from: null, to: 'Q 0.5' },
            'BI reason': { from: null, to: reason },
          },
        },
      },
      { ...own, detail: { changes: { AP: { from: 'A', to: 'P' }, BI: { from: 'Q 0.5', to: null } } } },
    ]);
  });

  it('use the newest version of the vignette, so that the score is no longer stale', async () => {
    await calculate();
    await inside(async (trx) => {
      await sql`update vignette set version = 2 where id = ${vignetteId}`.execute(trx);
      await sql`insert into vignette_version select organization_id, vignette_id, 2, content from vignette_version
        where vignette_id = ${vignetteId}`.execute(trx);
      await markStale(trx, { reason: 'vignette', vignetteId });
    });
    const answer = await set({ AV: { value: 'UK', reason } });
    expect(answer.json()).toMatchObject({
      vignetteVersion: 2,
      stale: false,
      overrides: { AV: { value: 'U' } },
    });
  });

  it('with a deleted vignette are calculated with the stored ratings, and the score stays stale', async () => {
    await calculate();
    const before = await explanationOf(ada, id);
    await inside(async (trx) => {
      await markStale(trx, { reason: 'vignette-deleted', vignetteId });
      await sql`delete from vignette where id = ${vignetteId}`.execute(trx);
    });
    const answer = await set({ IC: { value: 'C', reason } });
    expect(answer.json()).toMatchObject({
      version: 2,
      score: 0,
      technicalImpact: before.technicalImpact,
      vignetteName: before.vignetteName,
      stale: true,
      staleReasons: [{ code: 'vignette-deleted' }],
    });
    expect((await set({ IC: null })).json()).toMatchObject({ version: 3, score: before.score });
  });

  it('of several analysts at once are all stored, and the versions of the score are linear', async () => {
    await calculate();
    const codes = ['A', 'P', 'RU', 'L', 'N'];
    const answers = await Promise.all([
      ...codes.map((value) => set({ AP: { value, reason } })),
      set({ RP: { value: 'N', reason } }),
      set({ EC: { value: 'B', reason } }),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 200));
    expect(await storedFactors()).toEqual(['AP', 'EC', 'RP']);
    const { history, overrides, factors, version } = await explanationOf(ada, id);
    expect(history.map((entry) => entry.version)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(version).toBe(8);
    expect(factors.find(({ code }) => code === 'AP')?.value).toBe(overrides.AP?.value);
  });

  it.each<[string, object, string, string]>([
    ['an unknown factor', { CONF: { value: 'H', reason } }, 'CONF', 'CWSS has no factor "CONF".'],
    ['a factor in lower case', { ap: { value: 'A', reason } }, 'ap', 'CWSS has no factor "ap".'],
    [
      'an unknown value',
      { AS: { value: 'L', reason } },
      'AS.value',
      'AS (Authentication Strength) has no value "L".',
    ],
    ['no value', { AP: { reason } }, 'AP.value', 'AP (Acquired Privilege)'],
    ['a number as value', { AP: { value: 1, reason } }, 'AP.value', 'AP (Acquired Privilege)'],
    [
      'Q without a weight',
      { TI: { value: 'Q', reason } },
      'TI.weight',
      'TI (Technical Impact) is quantified (Q)',
    ],
    ['a weight above 1', { TI: { value: 'Q', weight: 1.1, reason } }, 'TI.weight', 'from 0 to 1'],
    ['a negative weight', { TI: { value: 'Q', weight: -0.1, reason } }, 'TI.weight', 'from 0 to 1'],
    [
      'a weight with five decimals',
      { TI: { value: 'Q', weight: 0.12345, reason } },
      'TI.weight',
      'four decimals',
    ],
    ['a weight that is text', { TI: { value: 'Q', weight: '0.5', reason } }, 'TI.weight', 'Enter a number.'],
    [
      'a weight of a fixed value',
      { AP: { value: 'A', weight: 1, reason } },
      'AP.weight',
      'AP (Acquired Privilege) has a fixed weight',
    ],
    ['no reason', { AP: { value: 'A' } }, 'AP.reason', 'This is required.'],
    ['a blank reason', { AP: { value: 'A', reason: ' \n' } }, 'AP.reason', 'Enter a reason.'],
    ['a reason of 2,001 characters', { AP: { value: 'A', reason: 'x'.repeat(2001) } }, 'AP.reason', '2,000'],
    ['NUL in a reason', { AP: { value: 'A', reason: 'a\0b' } }, 'AP.reason', 'NUL'],
    ['half a surrogate pair', { AP: { value: 'A', reason: '\uD800' } }, 'AP.reason', 'Unicode'],
    ['a text as factor', { AP: 'A' }, 'AP', 'Send a JSON object.'],
    ['an unknown field', { AP: { value: 'A', reason, why: 'x' } }, 'AP.why', 'Unknown: why.'],
    ['a list', [], '', 'Send a JSON object.'],
  ])('answer 422 to %s, name it, and change nothing', async (_what, body, path, message) => {
    await calculate();
    const answer = await put(
      ada,
      url(),
      Array.isArray(body) ? body : { EX: { value: 'N', reason }, ...body },
    );
    expect(answer.statusCode).toBe(422);
    const [issue] = answer.json<ErrorReply>().details ?? [];
    expect(issue?.path).toBe(path);
    expect(issue?.message).toContain(message);
    expect(await storedFactors()).toEqual([]);
    expect(await explanationOf(ada, id)).toMatchObject({ version: 1 });
  });

  it('answer 422 with every invalid factor at once', async () => {
    const body = { AP: { value: 'X', reason: '' }, XX: null, TI: { value: 'Q', reason } };
    const { details } = (await put(ada, url(), body)).json<ErrorReply>();
    expect(details?.map(({ path }) => path).toSorted()).toEqual(['AP.reason', 'AP.value', 'TI.weight', 'XX']);
  });

  it('answer 200, 400 or 422 to any JSON object', async () => {
    const code = fc.oneof(fc.constantFrom('A', 'Q', 'UK', 'NA', ''), fc.string());
    const change = fc.record({ value: code, weight: fc.double(), reason: fc.string() }, { requiredKeys: [] });
    const factor = fc.oneof(fc.constantFrom(...cwssOrder), fc.string());
    const body = fc.dictionary(factor, fc.oneof(change, fc.jsonValue()), { maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(body, async (changes) => {
        const answer = await put(ada, url(), JSON.parse(JSON.stringify(changes)) as object);
        // 400: the name __proto__.
        expect([200, 400, 422]).toContain(answer.statusCode);
        if (answer.statusCode === 422) expect(answer.json<ErrorReply>().details).not.toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('answer 403 to viewers, and 404 to unknown vulnerabilities and those of another organization', async () => {
    const eve = await signUp(api);
    expect((await set({ AP: null }, eve)).statusCode).toBe(404);
    expect((await put(eve, url(strangeId()), { AP: { value: 'A', reason } })).statusCode).toBe(404);
    await ada.becomes('viewer');
    expect((await set({ AP: { value: 'A', reason } })).statusCode).toBe(403);
  });
});
