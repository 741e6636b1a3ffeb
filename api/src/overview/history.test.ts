import type { OverviewHistory } from '@riskboard/contract/schemas';
import { type OrganizationTransaction, recomputeOverview, withOrganization } from '@riskboard/db';
import { addDays, mondayOf } from '@riskboard/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { daysAgo, insertVulnerability, onDay } from '../testing/past-days.ts';
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

const history = async (query = '') =>
  (await ada.get(`/api/overview/history${query}`)).json<OverviewHistory>();
const inOrganization = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(api.database, ada.user.organizationId, work);
const on = (day: string, work: (trx: OrganizationTransaction) => Promise<unknown>) =>
  onDay({ api, organizationId: ada.user.organizationId }, day, work);
const snapshot = (day: string, open: Record<string, [number, number]>) =>
  inOrganization((trx) =>
    sql`
      insert into overview_snapshot (organization_id, day, totals, formula_version, taken_at)
      values (current_organization(), ${day}, ${JSON.stringify({
        open,
        openSeverity: { high: [2, 15], none: [1, 0] },
        threats: { '': [4, 0] },
        assetsAtRisk: { '': [3, 100] },
      })}, '1', now())`.execute(trx),
  );

it('the history has a point for each recorded day and for today, and a missing day stays missing', async () => {
  const first = daysAgo(800);
  await on(first, (trx) => insertVulnerability(trx, { day: first, severity: 4 }));
  await snapshot(first, { [first]: [1, 0], older: [2, 0] });
  await snapshot(daysAgo(1), { [daysAgo(31)]: [1, 0], [daysAgo(32)]: [1, 0], older: [1, 0] });
  const { days, firstRecordedDay } = await history();
  expect(firstRecordedDay).toBe(first);
  expect(days).toEqual([
    {
      date: first,
      score: 24,
      totalThreats: 4,
      openVulnerabilities: 3,
      newVulnerabilities: 1,
      assetsAtRisk: 3,
      exposure: 7.5,
    },
    // Its window of new ones begins 30 days before it.
    expect.objectContaining({ date: daysAgo(1), newVulnerabilities: 1, score: 24 }),
    expect.objectContaining({ date: daysAgo(0), openVulnerabilities: 1, score: 3, exposure: 4 }),
  ]);
  expect((await history(`?from=${daysAgo(2)}&to=${daysAgo(1)}`)).days.map(({ date }) => date)).toEqual([
    daysAgo(1),
  ]);
});

it('weeks begin on Monday and count what was found and resolved, less what was reopened or restored', async () => {
  const monday = mondayOf(daysAgo(21));
  const sunday = addDays(monday, 6);
  const next = addDays(monday, 7);
  let id = '';
  await on(monday, async (trx) => {
    id = await insertVulnerability(trx, { day: monday, severity: 5 });
    await insertVulnerability(trx, { day: monday });
  });
  const setStatus = (status: 'open' | 'fixed' | 'accepted') => (trx: OrganizationTransaction) =>
    trx.updateTable('vulnerability').set({ status }).where('id', '=', id).execute();
  await on(sunday, setStatus('fixed'));
  await on(next, setStatus('open'));
  await on(next, (trx) => insertVulnerability(trx, { day: next }));
  const { weeks } = await history();
  const none = { fixed: 0, p50: null, p95: null };
  expect(weeks.slice(0, 3)).toEqual([
    { week: monday, found: 2, resolved: 1, net: -1, ...none },
    { week: next, found: 1, resolved: -1, net: -2, ...none },
    { week: addDays(next, 7), found: 0, resolved: 0, net: 0, ...none },
  ]);
  expect(weeks.at(-1)?.week).toBe(mondayOf(daysAgo(0)));
  expect((await history(`?from=${sunday}&to=${sunday}`)).weeks).toEqual(weeks.slice(0, 1));
});

it('a week has the median and the 95th percentile of the days to the fix', async () => {
  const fixedOn = daysAgo(10);
  await on(daysAgo(40), (trx) => insertVulnerability(trx, { day: daysAgo(40) }));
  await inOrganization(async (trx) => {
    for (const age of [1, 3, 11])
      await sql`
        insert into vulnerability (organization_id, id, name, status, discovery_date, fix_date)
        values (current_organization(), gen_random_uuid(), 'Weak cipher', 'fixed', ${fixedOn}::date - ${age}::integer, ${fixedOn})`.execute(
        trx,
      );
    await recomputeOverview(trx);
  });
  const { weeks, recomputedAt } = await history();
  expect(recomputedAt).not.toBeNull();
  expect(weeks.filter(({ fixed }) => fixed > 0)).toEqual([
    expect.objectContaining({ week: mondayOf(fixedOn), fixed: 3, p50: 3, p95: 10.2 }),
  ]);
});

it('the history is empty before the first change, and for days before it', async () => {
  expect(await history()).toEqual({ days: [], weeks: [], recomputedAt: null, firstRecordedDay: null });
  await on(daysAgo(3), (trx) => insertVulnerability(trx, { day: daysAgo(3) }));
  expect(await history(`?to=${daysAgo(4)}`)).toEqual({
    days: [],
    weeks: [],
    recomputedAt: null,
    firstRecordedDay: daysAgo(3),
  });
});

it.each([
  ['a day in the future', `?to=${daysAgo(-2)}`],
  ['an end before the start', `?from=${daysAgo(1)}&to=${daysAgo(2)}`],
  ['more days than are kept in a comparison', `?from=${daysAgo(4000)}`],
  ['days in the year 0', '?from=0000-01-01&to=0000-01-02'],
])('the history of %s is refused with 422', async (_name, query) => {
  expect((await ada.get(`/api/overview/history${query}`)).statusCode).toBe(422);
});

it('the history of one organization does not contain that of another', async () => {
  await on(daysAgo(3), (trx) => insertVulnerability(trx, { day: daysAgo(3) }));
  ada = await signUp(api);
  expect(await history()).toEqual({ days: [], weeks: [], recomputedAt: null, firstRecordedDay: null });
});
