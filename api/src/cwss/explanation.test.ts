import type { CwssResult, ErrorReply } from '@riskboard/contract';
import { markStale } from '@riskboard/db';
import { cwssOrder } from '@riskboard/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeMember } from '../testing/accounts/member.ts';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { makeRecords, put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
import { calculateScore, explanationOf } from '../testing/scores.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { makeVignette, vignetteUrl } from '../testing/vignettes.ts';

let api: TestApi;
let ada: Person;
let id: string;
let vignetteId: string;
/** Rates the impacts of CWE-79: reading data most. */
const scorecard = [
  { impact: 'Read data', layer: 'Application', subscore: 8, notes: 'Customer data' },
  { impact: 'Bypass protection mechanism', layer: 'System', subscore: 2, notes: '' },
] as const;
const columns = {
  cwe: ['CWE-79'],
  cve_id: 'CVE-2024-12345',
  cvss_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
};

beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  [id = ''] = await makeRecords(api, ada, { table: 'vulnerability', names: ['Script in names'], columns });
  vignetteId = await makeVignette(api, ada, { name: 'Shop', scorecard });
});
afterAll(() => api.close());

const inside: ReturnType<typeof asWorker>['inside'] = (work) => asWorker(api, ada).inside(work);
const calculate = (vignette = vignetteId) => calculateScore(api, ada, { id, vignetteId: vignette });
const url = (of = id): string => `/api/vulnerabilities/${of}/cwss`;

describe('GET /api/vulnerabilities/{id}/cwss', () => {
  it('answers 404 before the first calculation, and to unknown vulnerabilities and versions', async () => {
    expect((await ada.get(url())).statusCode).toBe(404);
    await calculate();
    expect((await ada.get(url())).statusCode).toBe(200);
    expect((await ada.get(`${url()}?version=2`)).statusCode).toBe(404);
    expect((await ada.get(url(strangeId()))).statusCode).toBe(404);
    await ada.delete(`/api/vulnerabilities/${id}`);
    expect((await ada.get(url())).statusCode).toBe(404);
  });

  it.each(['0', '-1', '1.5', 'x', '99999999999'])('answers 422 to the version %s', async (version) => {
    expect((await ada.get(`${url()}?version=${version}`)).statusCode).toBe(422);
  });

  it('has the score, every factor with its origin, and the weakness that decides the technical impact', async () => {
    await calculate();
    const reply = await explanationOf(ada, id);
    expect(reply).toMatchObject({
      version: 1,
      technicalImpact: {
        impact: 'Read data',
        layer: 'Application',
        subscore: 8,
        notes: 'Customer data',
        cwe: 'CWE-79',
        inheritedFrom: null,
        fallback: null,
      },
      weaknesses: [{ cwe: 'CWE-79', impact: 'Read data', subscore: 8 }],
      vignetteId,
      vignetteName: 'Shop',
      vignetteVersion: 1,
      catalogueVersion: expect.stringMatching(/./u),
      formulaVersion: expect.stringContaining('CWSS 1.0.1'),
      calculatedBy: 'Ada',
      cause: 'calculated',
      stale: false,
      staleReasons: [],
      overrides: {},
      history: [{ version: 1, by: 'Ada', cause: 'calculated', score: reply.score, changes: [] }],
    });
    expect(reply.factors.map(({ code }) => code)).toEqual(cwssOrder);
    expect(reply.factors[0]).toMatchObject({ code: 'TI', value: 'Q', weight: 0.8, source: 'vignette' });
    expect(reply.vector).toMatch(/^\(TI:Q,0\.8\/.*\/P:[A-Z]+,\d\.\d+\)$/u);
    const { known, default: byDefault, unknown } = reply.completeness;
    expect(known + byDefault + unknown).toBe(16);
    const row = await ada.get(`/api/vulnerabilities/${id}`);
    expect(row.json()).toMatchObject({
      cwssScore: reply.score,
      appliedVignette: 'Shop',
      cwssState: 'current',
    });
  });

  it('names the reason of a fallback when no impact is rated', async () => {
    await put(ada, `/api/vulnerabilities/${id}`, { cwe: '' });
    await calculate();
    const { technicalImpact, factors } = await explanationOf(ada, id);
    expect(technicalImpact).toMatchObject({ impact: null, layer: null, subscore: null, cwe: null });
    expect(technicalImpact.fallback).toBe('The vulnerability has no CWE.');
    expect(factors[0]).toMatchObject({ value: 'D', weight: 0.6, source: 'default' });
  });

  it('says that the vignette rates none of the impacts also when these are inherited', async () => {
    await put(ada, `/api/vulnerabilities/${id}`, { cwe: 'CWE-66' });
    const cells = [
      { impact: 'Gain privileges / assume identity', layer: 'Enterprise', subscore: 5, notes: '' },
    ] as const;
    await calculate(await makeVignette(api, ada, { name: 'Bank', scorecard: cells }));
    const { technicalImpact, weaknesses } = await explanationOf(ada, id);
    const [weakness] = weaknesses;
    expect(weakness).toMatchObject({ impact: null, inheritedFrom: 'CWE-706' });
    expect(weakness?.note).toMatch(/ inherited from CWE-706\. The vignette rates none of its impacts\.$/u);
    expect(technicalImpact.fallback).toBe(`CWE-66: ${weakness?.note}`);
  });

  it('of a stale score says so with each reason, and of the versions before it does not', async () => {
    await calculate();
    await put(ada, `/api/vulnerabilities/${id}`, { cwe: 'CWE-89' });
    await calculate();
    await inside((trx) => markStale(trx, { reason: 'vignette', vignetteId }));
    await inside((trx) => markStale(trx, { reason: 'catalogue' }));
    expect(await explanationOf(ada, id)).toMatchObject({
      version: 2,
      stale: true,
      staleReasons: [
        { code: 'vignette', reason: 'The vignette has a newer version.' },
        { code: 'catalogue', reason: 'The weakness catalogue changed.' },
      ],
    });
    expect(await explanationOf(ada, id, '?version=1')).toMatchObject({
      version: 1,
      stale: false,
      staleReasons: [],
      weaknesses: [{ cwe: 'CWE-79' }],
    });
  });

  it('says for each version whether its vignette still exists', async () => {
    const bank = await makeVignette(api, ada, { name: 'Bank' });
    await calculate();
    await calculate(bank);
    await ada.delete(`${vignetteUrl}/${vignetteId}`);
    expect(await explanationOf(ada, id)).toMatchObject({ version: 2, vignetteExists: true });
    expect(await explanationOf(ada, id, '?version=1')).toMatchObject({
      vignetteName: 'Shop',
      vignetteExists: false,
      staleReasons: [],
    });
  });

  it('has the history with what changed against the score before, newest first', async () => {
    const bank = await makeVignette(api, ada, { name: 'Bank' });
    await calculate();
    await put(ada, `/api/vulnerabilities/${id}`, { cvssVector: columns.cvss_vector.replace('AV:N', 'AV:L') });
    await calculate();
    await calculate(bank);
    const { history } = await explanationOf(ada, id);
    expect(history.map((entry) => [entry.version, entry.vignetteName, entry.vignetteId])).toEqual([
      [3, 'Bank', bank],
      [2, 'Shop', vignetteId],
      [1, 'Shop', vignetteId],
    ]);
    expect(history[0]?.changes).toContain('vignette Shop to Bank');
    expect(history[1]?.changes).toEqual(['AV: I to L', 'CVSS vector changed']);
    expect(history[2]?.changes).toEqual([]);
  });

  it('has at most 100 entries of the history, each compared, and older versions on request', async () => {
    await calculate();
    await inside(async (trx) => {
      await sql`
        insert into cwss_score select organization_id, vulnerability_id, n, at, actor, job_id, cause, score, raw, vector,
          vignette_id, vignette_name, n, catalogue_version, formula_version, inputs
        from cwss_score, generate_series(2, 130) n where vulnerability_id = ${id}`.execute(trx);
      await sql`update vulnerability set cwss_version = 130 where id = ${id}`.execute(trx);
    });
    const { history } = await explanationOf(ada, id);
    expect(history).toHaveLength(100);
    expect([history[0]?.version, history[99]?.version]).toEqual([130, 31]);
    expect(history[99]?.changes).toEqual(['vignette version 30 to 31']);
    expect(await explanationOf(ada, id, '?version=3')).toMatchObject({ version: 3, vignetteVersion: 3 });
  });

  it('names people by their current name, and former members by their activity', async () => {
    const { accountId } = await makeMember(api, ada.user.organizationId, 'analyst');
    await calculateScore(api, ada, { id, vignetteId, by: accountId });
    const name = async () => {
      const { calculatedBy, history } = await explanationOf(ada, id);
      expect(history[0]?.by).toBe(calculatedBy);
      return calculatedBy;
    };
    expect(await name()).toBe('Grace');
    await inside((trx) => sql`delete from membership where account_id = ${accountId}`.execute(trx));
    expect(await name()).toBe('Former member');
    await inside((trx) =>
      sql`insert into activity (organization_id, id, account_id, actor, action, noun, noun_id, name, address, via, detail)
        values (current_organization(), ${strangeId()}, ${accountId}, 'Grace Hopper <grace@example.org>',
          'vulnerability.scored', 'vulnerabilities', ${id}, 'Script', '', 'session', '{}')`.execute(trx),
    );
    expect(await name()).toBe('Grace Hopper');
  });

  it('of an automatic calculation names no person', async () => {
    await calculateScore(api, ada, { id, vignetteId, by: null, cause: 'automatic' });
    expect(await explanationOf(ada, id)).toMatchObject({
      calculatedBy: '',
      cause: 'automatic',
      history: [{ by: '', cause: 'automatic' }],
    });
  });

  it("answers 404 to another organization's vulnerability", async () => {
    await calculate();
    const eve = await signUp(api);
    expect((await eve.get(url())).statusCode).toBe(404);
    expect((await eve.get(`${url()}?version=1`)).statusCode).toBe(404);
  });
});

describe('GET /api/vulnerabilities/{id}/cwss/preview', () => {
  const preview = (vignette: string, of = id) => ada.get(`${url(of)}/preview?vignetteId=${vignette}`);

  it('has the score that the vignette would give and stores nothing', async () => {
    const answer = await preview(vignetteId);
    expect(answer.statusCode).toBe(200);
    const { score, vector, factors } = answer.json<CwssResult>();
    expect((await ada.get(url())).statusCode).toBe(404);
    await calculate();
    expect(await explanationOf(ada, id)).toMatchObject({ score, vector, factors });
    const harmless = await makeVignette(api, ada, {
      name: 'Harmless',
      scorecard: scorecard.map((cell) => ({ ...cell, subscore: 0 })),
    });
    expect((await preview(harmless)).json<CwssResult>()).toMatchObject({
      score: 0,
      vignetteName: 'Harmless',
      technicalImpact: { subscore: 0, fallback: null },
    });
    expect(await explanationOf(ada, id)).toMatchObject({ version: 1, score });
  });

  it('answers 404 to unknown ids and those of another organization, and 422 without a vignette', async () => {
    const eve = await signUp(api);
    const [theirs = ''] = await makeRecords(api, eve, { table: 'vulnerability', names: ['Theirs'] });
    const theirVignette = await makeVignette(api, eve);
    const answers = await Promise.all([
      preview(strangeId()),
      preview(vignetteId, strangeId()),
      preview(theirVignette),
      preview(vignetteId, theirs),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map((answer) => answer.json<ErrorReply>().message)).size).toBe(1);
    expect((await ada.get(`${url()}/preview`)).statusCode).toBe(422);
    expect((await preview('x')).statusCode).toBe(422);
  });
});
