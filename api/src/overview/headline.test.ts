import type { OverviewMetrics, OverviewPriorities } from '@riskboard/contract/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAsset, makeProject, makeRecords, put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
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

const metrics = async () => (await ada.get('/api/overview/metrics')).json<OverviewMetrics>();
/** The sentence after the one of the security status. */
const factAfterStatus = async () => (await metrics()).headline[1];
const rowsOf = async (link: string) =>
  (await ada.get(`${link.replace('/dashboard/', '/api/')}&pageSize=500`)).json<{
    vulnerabilities: { _id: string }[];
    total: number;
  }>();

const insert = (names: string[], assets: string[], columns: object = { severity: 9.8 }) =>
  makeRecords(api, ada, { table: 'vulnerability', names, assets, columns });

describe('the headline', () => {
  it('counts the new critical vulnerabilities on mission-critical assets, as its list does, through every change', async () => {
    const { _id: project } = await makeProject(ada);
    const { _id: vault } = await makeAsset(ada, project, { criticality: 4 });
    const { _id: kiosk } = await makeAsset(ada, project, { criticality: 3 });
    await insert(['Elsewhere'], [kiosk]);
    await insert(['High'], [vault], { severity: 8.9 });
    await insert(['Old'], [vault], { severity: 9.8, created_at: new Date(Date.now() - 40 * 86_400_000) });
    expect((await metrics()).headline[0]?.text).toBe('2 critical vulnerabilities are open');

    const [first = '', second = ''] = await insert(['One', 'Two'], [vault, kiosk]);
    const sentence = await factAfterStatus();
    expect(sentence?.text).toBe('2 new critical vulnerabilities on mission-critical assets');
    expect((await rowsOf(sentence?.link ?? '')).total).toBe(2);

    await put(ada, `/api/vulnerabilities/${first}`, { status: 'accepted' });
    const one = await factAfterStatus();
    expect(one?.text).toBe('1 new critical vulnerability on mission-critical assets');
    expect((await rowsOf(one?.link ?? '')).vulnerabilities.map(({ _id }) => _id)).toEqual([second]);

    await ada.delete(`/api/vulnerabilities/${second}`);
    expect((await metrics()).headline[0]?.text).toBe('2 critical vulnerabilities are open');
    await put(ada, `/api/assets/${kiosk}`, { criticality: 5 });
    expect((await factAfterStatus())?.text).toBe('1 new critical vulnerability on mission-critical assets');
  });

  it('has no comparison on the first day, and names the first step without records', async () => {
    expect((await metrics()).headline).toEqual([
      {
        text: 'Upload a report or create a project with assets to see your risk',
        link: '/dashboard/reports',
        since: null,
      },
    ]);
    await insert(['One'], []);
    expect((await metrics()).headline).toMatchObject([
      { text: '1 critical vulnerability is open', since: null },
      { text: 'Overall risk 5 of 100, Low', link: null, since: null },
    ]);
  });
});

describe('what to do first', () => {
  it('promises the score that the organization has after the change, and each link opens exactly its rows', async () => {
    const { _id: project } = await makeProject(ada);
    const { _id: vault } = await makeAsset(ada, project, { criticality: 4 });
    await insert(['A', 'B'], [vault], { severity: 9.8, category_id: 1 });
    await insert(['C', 'D', 'E'], [], { severity: 5, category_id: 2 });
    await insert(['F'], [], {
      severity: 9.1,
      category_id: 1,
      created_at: new Date(Date.now() - 40 * 86_400_000),
    });
    const { items } = (await ada.get('/api/overview/priorities')).json<OverviewPriorities>();
    const groups = items.filter(({ title }) => /^Resolve the \d/u.test(title));
    expect(groups.map(({ code }) => code.split('.')[0])).toEqual([
      'new',
      'category',
      'critical',
      'asset-vulnerabilities',
    ]);
    for (const { title, link, scoreAfter } of groups) {
      const { total, vulnerabilities } = await rowsOf(link);
      expect([title, total]).toEqual([title, Number(/\d+/u.exec(title)?.[0])]);
      const setAll = async (status: string) => {
        for (const { _id } of vulnerabilities) await put(ada, `/api/vulnerabilities/${_id}`, { status });
      };
      await setAll('fixed');
      expect([title, (await metrics()).overallRisk.value]).toEqual([title, scoreAfter]);
      await setAll('open');
    }
  });
});
