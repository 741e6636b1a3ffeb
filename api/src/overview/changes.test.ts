import type { OverviewChanges } from '@riskboard/contract/schemas';
import { newId, type OrganizationTransaction, recomputeOverview, withOrganization } from '@riskboard/db';
import { withClient } from '@riskboard/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

const today = daysAgo(0);
const changes = async (from: string, to: string, measure: OverviewChanges['measure'] = 'risk') => {
  const answer = await ada.get(`/api/overview/changes?from=${from}&to=${to}&measure=${measure}`);
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  return answer.json<OverviewChanges>();
};
const inOrganization = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(api.database, ada.user.organizationId, work);
const on = (day: string, work: (trx: OrganizationTransaction) => Promise<unknown>) =>
  onDay({ api, organizationId: ada.user.organizationId }, day, work);
const setStatus = (trx: OrganizationTransaction, id: string, status: 'open' | 'fixed' | 'accepted') =>
  trx.updateTable('vulnerability').set({ status }).where('id', '=', id).execute();
const amounts = ({ causes }: OverviewChanges) =>
  causes.map(({ code, count, delta }) => [code, count, delta] as const);
/** As a client adds them up. */
const expectExact = ({ from, to, causes }: OverviewChanges) => {
  const difference = (to.score ?? 0) - (from.score ?? 0);
  expect(causes.reduce((sum, { delta }) => sum + delta, 0)).toBe(difference);
  expect(causes.map(({ code }) => code)).not.toContain('vulnerabilities.unrecorded');
};

describe('the changes between two days', () => {
  it('name each cause with its rows, points and link, and add up to the difference', async () => {
    const [old, fresh] = [daysAgo(40), daysAgo(3)];
    let fixed = '';
    await on(old, async (trx) => {
      fixed = await insertVulnerability(trx, { day: old, severity: 5 });
      await insertVulnerability(trx, { day: old, severity: 9 });
    });
    await on(fresh, async (trx) => {
      await insertVulnerability(trx, { day: fresh, severity: 7 });
      await setStatus(trx, fixed, 'fixed');
    });
    const whole = await changes(daysAgo(35), today);
    expect(whole).toMatchObject({ from: { score: 10 }, to: { score: 8 }, firstRecordedDay: old });
    expectExact(whole);
    expect(amounts(whole)).toEqual([
      ['vulnerabilities.fixed', 1, -5],
      ['vulnerabilities.found', 1, 5],
      ['vulnerabilities.aged', 1, -2],
    ]);
    // As a page reads the list: the link of a cause opens its rows.
    for (const [code, rows] of [
      ['vulnerabilities.aged', 1],
      ['vulnerabilities.found', 1],
    ] as const) {
      const query = whole.causes.find((one) => one.code === code)?.query?.split('?')[1];
      const list = (await ada.get(`/api/vulnerabilities?${query}`)).json<{ total: number }>();
      expect([code, list.total]).toEqual([code, rows]);
    }
    expect(whole.causes.map(({ code, listed }) => [code, listed])).toEqual([
      ['vulnerabilities.fixed', 1],
      ['vulnerabilities.found', 1],
      ['vulnerabilities.aged', 1],
    ]);
    const exposure = await changes(daysAgo(35), today, 'exposure');
    expect(exposure).toMatchObject({ from: { score: 7 }, to: { score: 8 } });
    expectExact(exposure);
    expect(amounts(exposure)).toEqual([['vulnerabilities.fixed', 1, 1]]);
  });

  it('have no link to a list without rows, after what they counted was deleted', async () => {
    await on(daysAgo(3), (trx) => insertVulnerability(trx, { day: daysAgo(3), severity: 7 }));
    await inOrganization((trx) => trx.deleteFrom('vulnerability').execute());
    const { causes } = await changes(daysAgo(5), today);
    expect(
      causes.map(({ code, count, listed, query }) => [code, count, listed, query?.split('?')[0] ?? null]),
    ).toEqual([
      ['vulnerabilities.deleted', 1, null, '/dashboard/activity'],
      ['vulnerabilities.found', 1, 0, null],
    ]);
  });

  it('begin at 0 on a day before the first recorded one, with the cause `recorded`', async () => {
    // As the migration records what an organization had before it.
    await inOrganization((trx) =>
      sql`
        insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
        values (current_organization(), ${daysAgo(2)}::date, 'open', ${daysAgo(200)}, 'recorded', 4, 0),
          (current_organization(), ${daysAgo(2)}::date, 'openSeverity', 'high', 'recorded', 4, 30)`.execute(
        trx,
      ),
    );
    const risk = await changes(daysAgo(9), today);
    expect(risk).toMatchObject({ from: { score: 0 }, to: { score: 12 }, firstRecordedDay: daysAgo(2) });
    expect(amounts(risk)).toEqual([['vulnerabilities.recorded', 4, 12]]);
    const exposure = await changes(daysAgo(9), daysAgo(1), 'exposure');
    expect(exposure).toMatchObject({ from: { score: null }, to: { score: 7.5 } });
    expect(amounts(exposure)).toEqual([['vulnerabilities.recorded', 4, 7.5]]);
  });

  it('of the exposure open as many rows as they count: vulnerabilities without a severity are left out', async () => {
    const day = daysAgo(3);
    await on(day, async (trx) => {
      await insertVulnerability(trx, { day, severity: 6 });
      await insertVulnerability(trx, { day, severity: null });
    });
    const { causes } = await changes(daysAgo(5), today, 'exposure');
    const found = causes.find(({ code }) => code === 'vulnerabilities.found');
    expect(found).toMatchObject({ count: 1, listed: 1, query: expect.stringContaining('&severityMin=0') });
    const risk = await changes(daysAgo(5), today);
    expect(risk.causes.find(({ code }) => code === 'vulnerabilities.found')).toMatchObject({ listed: 2 });
  });

  it('count the vulnerabilities whose severity changed, also within a band', async () => {
    await on(daysAgo(5), async (trx) => {
      await insertVulnerability(trx, { day: daysAgo(5), severity: 5 });
      await insertVulnerability(trx, { day: daysAgo(5), severity: 3 });
    });
    await inOrganization((trx) =>
      trx.updateTable('vulnerability').set({ severity: 6 }).where('severity', '=', 5).execute(),
    );
    const change = await changes(daysAgo(1), today, 'exposure');
    expect(amounts(change)).toEqual([['vulnerabilities.severity', 1, 0.5]]);
    expectExact(change);
  });

  it('are empty within one day, and on two days without a change', async () => {
    await on(daysAgo(5), (trx) => insertVulnerability(trx, { day: daysAgo(5), severity: 5 }));
    for (const [from, to] of [
      [today, today],
      [daysAgo(5), daysAgo(5)],
      [daysAgo(4), today],
    ] as const)
      expect(await changes(from, to)).toMatchObject({ causes: [], from: { score: 5 }, to: { score: 5 } });
  });

  it('count what was recorded after today, because the clock was set back, as of now', async () => {
    await on(daysAgo(-2), (trx) => insertVulnerability(trx, { day: daysAgo(-2), severity: 5 }));
    const change = await changes(daysAgo(1), today);
    expect(change).toMatchObject({ from: { score: 0 }, to: { score: 5 } });
    expect(amounts(change)).toEqual([['vulnerabilities.found', 1, 5]]);
  });

  it.each([
    ['an end before the start', daysAgo(1), daysAgo(2), 'from'],
    ['a day in the future', daysAgo(1), daysAgo(-2), 'to'],
    ['more days than are compared', daysAgo(3662), today, 'from'],
    ['a day that does not exist', '2023-02-29', today, 'from'],
    ['a first day in the year 0, which the database cannot hold', '0000-01-01', '0001-01-01', 'from'],
    ['a last day in the year 0', '0001-01-01', '0000-12-31', 'to'],
  ])('of %s are refused with 422, naming the field', async (_name, from, to, path) => {
    const answer = await ada.get(`/api/overview/changes?from=${from}&to=${to}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ details: { path: string }[] }>().details).toMatchObject([
      { path: expect.stringContaining(path) },
    ]);
  });

  it('of one organization do not contain those of another', async () => {
    await on(daysAgo(2), (trx) => insertVulnerability(trx, { day: daysAgo(2), severity: 5 }));
    const other = ada;
    ada = await signUp(api);
    expect(await changes(daysAgo(5), today)).toMatchObject({
      from: { score: 0 },
      to: { score: 0 },
      causes: [],
      firstRecordedDay: null,
    });
    ada = other;
    expect((await changes(daysAgo(5), today)).to.score).toBe(5);
  });

  it('do not depend on the time zones of process and database', async () => {
    await on(daysAgo(1), (trx) => insertVulnerability(trx, { day: daysAgo(1), severity: 5 }));
    const expected = await changes(daysAgo(2), daysAgo(1));
    const zone = process.env['TZ'];
    try {
      for (const name of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        process.env['TZ'] = name;
        await withClient(api.clone.adminUrl, (admin) =>
          admin.query(
            `alter database ${admin.escapeIdentifier(new URL(api.clone.adminUrl).pathname.slice(1))} set timezone to '${name}'`,
          ),
        );
        const second = await startApi({}, { with: api });
        const moved = await second.app.inject({
          url: `/api/overview/changes?from=${daysAgo(2)}&to=${daysAgo(1)}`,
          headers: { cookie: [...ada.cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
        });
        expect(moved.json()).toEqual(expected);
        await second.close();
      }
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });
});

describe('random histories', () => {
  interface Truth {
    threats: number;
    open: number;
    fresh: number;
    atRisk: number;
    rated: number;
    severities: number;
  }
  const scoreOf = ({ threats, open, fresh, atRisk }: Truth) =>
    Math.min(100, Math.round(2 * threats + 3 * open + 2 * fresh + 1.5 * atRisk));
  const exposureOf = ({ rated, severities }: Truth) =>
    rated === 0 ? null : Math.round((severities / rated) * 1000) / 1000;

  /** Counted from the rows themselves, as of the end of a day. */
  const truthAt = async (trx: OrganizationTransaction, day: string): Promise<Truth> => {
    const { rows } = await sql<Truth>`
      select (select count(*)::int from threat) as threats, count(*) filter (where status = 'open')::int as open,
        count(*) filter (where status = 'open' and (created_at at time zone 'UTC')::date >= ${day}::date - 30)::int as fresh,
        (select count(*)::int from asset where health = 'Critical' or risk_score >= 7) as "atRisk",
        count(severity) filter (where status = 'open')::int as rated,
        coalesce(sum(severity) filter (where status = 'open'), 0) as severities
      from vulnerability`.execute(trx);
    return rows[0] ?? { threats: 0, open: 0, fresh: 0, atRisk: 0, rated: 0, severities: 0 };
  };

  const pick = sql`(select id from vulnerability order by id offset 0 limit 1)`;
  const newest = sql`(select id from vulnerability order by id desc limit 1)`;
  const operations = {
    severe: (trx: OrganizationTransaction, day: string) => insertVulnerability(trx, { day, severity: 9.3 }),
    rated: (trx: OrganizationTransaction, day: string) => insertVulnerability(trx, { day, severity: 2.7 }),
    unrated: (trx: OrganizationTransaction, day: string) => insertVulnerability(trx, { day, severity: null }),
    fix: (trx: OrganizationTransaction) =>
      sql`update vulnerability set status = 'fixed' where id = ${pick}`.execute(trx),
    reopen: (trx: OrganizationTransaction) => sql`update vulnerability set status = 'open'`.execute(trx),
    accept: (trx: OrganizationTransaction) =>
      sql`update vulnerability set status = 'accepted' where id = ${newest}`.execute(trx),
    rate: (trx: OrganizationTransaction) =>
      sql`update vulnerability set severity = 6.1 where id = ${newest}`.execute(trx),
    unrate: (trx: OrganizationTransaction) =>
      sql`update vulnerability set severity = null where id = ${pick}`.execute(trx),
    delete: (trx: OrganizationTransaction) => sql`delete from vulnerability where id = ${pick}`.execute(trx),
    threat: (trx: OrganizationTransaction) =>
      trx
        .insertInto('threat')
        .values({ organization_id: ada.user.organizationId, id: newId(), name: 'Flood', risk_level: 40 })
        .execute(),
    levels: (trx: OrganizationTransaction) =>
      sql`update asset set criticality = case when criticality = 5 then 1 else 5 end`.execute(trx),
  } as const;
  type Operation = keyof typeof operations;
  const anyHistory = fc.array(
    fc.record({
      /** Days since the one before. */
      after: fc.constantFrom(1, 2, 6, 29, 31, 366),
      changes: fc.array(fc.constantFrom(...(Object.keys(operations) as Operation[])), { maxLength: 5 }),
      recompute: fc.boolean(),
    }),
    { minLength: 2, maxLength: 6 },
  );

  async function addAsset(trx: OrganizationTransaction) {
    const [project, id] = [newId(), newId()];
    const common = { organization_id: ada.user.organizationId, name: 'Harbour' };
    await trx
      .insertInto('project')
      .values({ ...common, id: project, start_date: '2026-01-01' })
      .execute();
    await trx
      .insertInto('asset')
      .values({
        ...common,
        id,
        project_id: project,
        asset_type_id: 1,
        criticality: 1,
        confidentiality_level: 5,
        integrity_level: 4,
        availability_level: 4,
      })
      .execute();
  }

  it('are explained completely between every two days, with the scores that a count of the rows gives', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        ada = await signUp(api);
        let back = history.reduce((sum, { after }) => sum + after, 0);
        const days: { day: string; truth: Truth }[] = [];
        await on(daysAgo(back + 1), addAsset);
        for (const { after, changes: names, recompute } of history) {
          back -= after;
          const day = daysAgo(back);
          await on(day, async (trx) => {
            for (const name of names) await operations[name](trx, day);
            days.push({ day, truth: await truthAt(trx, day) });
          });
          if (recompute) await inOrganization(recomputeOverview);
        }
        for (const [at, first] of days.entries())
          for (const last of days.slice(at + 1)) {
            const risk = await changes(first.day, last.day);
            expect([risk.from.score, risk.to.score]).toEqual([scoreOf(first.truth), scoreOf(last.truth)]);
            expectExact(risk);
            const exposure = await changes(first.day, last.day, 'exposure');
            expect([exposure.from.score, exposure.to.score]).toEqual([
              exposureOf(first.truth),
              exposureOf(last.truth),
            ]);
            expectExact(exposure);
            const codes = [...risk.causes, ...exposure.causes].map(({ code }) => code);
            expect(codes.filter((code) => /unrecorded|repaired/u.test(code))).toEqual([]);
          }
      }),
      { numRuns: 5 },
    );
  });
});
