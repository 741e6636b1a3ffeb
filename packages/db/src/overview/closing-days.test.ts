import { addDays } from '@riskboard/domain';
import { countOverview, withClient } from '@riskboard/testing';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../connection/client.ts';
import { migrateToLatest } from '../migrate/migrate.ts';
import { newId } from '../new-id.ts';
import { deleteRecords } from '../testing/delete-records.ts';
import { makeEmptyDatabase, migrateTo } from '../testing/empty-database.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { restoreRecords } from '../trash/restore-records.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { recomputeOverview } from './recompute.ts';
import { type OverviewMeasure, readTotals } from './totals.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());
beforeEach(async () => {
  organizationId = await makeOrganization(database);
});

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);
const run = (statement: RawBuilder<unknown>) => inside((trx) => statement.execute(trx));

const months = Array.from({ length: 24 }, (_, n) =>
  new Date(Date.UTC(2026, n, 1)).toISOString().slice(0, 10),
);

/** Vulnerabilities that the exposure trend counts as open at the end of a month, and their severities. */
async function readTrend(trx: OrganizationTransaction) {
  const totals = await readTotals(trx);
  const until = (measure: OverviewMeasure, month: string) =>
    [...(totals.get(measure) ?? [])]
      .filter(([bucket]) => bucket <= month)
      .reduce((all, [, { count, sum }]) => ({ count: all.count + count, sum: all.sum + sum }), {
        count: 0,
        sum: 0,
      });
  return months.map((month) => {
    const [exposed, unexposed] = [until('exposed', month), until('unexposed', month)];
    const tenths = Math.round((exposed.sum - unexposed.sum) * 10);
    return { month, count: exposed.count - unexposed.count, tenths };
  });
}

const firstClosedMonth = (trend: Awaited<ReturnType<typeof readTrend>>) =>
  trend.find(({ count }) => count === 0)?.month.slice(0, 7);

async function expectExact(): Promise<void> {
  const { totals, counted } = await inside(async (trx) => ({
    totals: await readTotals(trx),
    counted: await countOverview(async <T>(text: string) => (await sql.raw<T>(text).execute(trx)).rows),
  }));
  expect(totals).toEqual(counted);
}

const inTrash = (ids: readonly string[]) =>
  inside((trx) =>
    deleteRecords(trx, { table: 'vulnerability', where: sql`r.id = any (${ids}::uuid[])`, by: null }),
  );

describe('the exposure trend counts a vulnerability that was found in January 2026', () => {
  let id: string;
  beforeEach(async () => {
    id = newId();
    await run(sql`
      insert into vulnerability (organization_id, id, name, severity, created_at)
      values (current_organization(), ${id}, 'Weak cipher', 5.5, '2026-01-10')`);
  });

  const to = (status: string, at: string, more = '') =>
    `status = '${status}', status_changed_at = '${at}' ${more}`;
  it.each<[string, string[], string | undefined]>([
    ['as closed since March: fixed then', [to('fixed', '2026-03-10')], '2026-03'],
    [
      'as closed since March: fixed then, accepted in July, and mitigated in September',
      [to('fixed', '2026-03-10'), to('accepted', '2026-07-10'), to('mitigated', '2026-09-10')],
      '2026-03',
    ],
    [
      'as closed since March: mitigated then, and fixed in July with a fix date of July',
      [to('mitigated', '2026-03-10'), to('fixed', '2026-07-10', ", fix_date = '2026-07-09'")],
      '2026-03',
    ],
    [
      'as closed since March: accepted then, fixed in July, and a fix date of July entered later',
      [to('accepted', '2026-03-10'), to('fixed', '2026-07-10'), "fix_date = '2026-07-09'"],
      '2026-03',
    ],
    [
      'as closed since February: mitigated in March, and fixed in July with a fix date of February',
      [to('mitigated', '2026-03-10'), to('fixed', '2026-07-10', ", fix_date = '2026-02-09'")],
      '2026-02',
    ],
    [
      'as closed since its fix date: fixed, then accepted, then fixed again without a date',
      [
        to('fixed', '2026-05-10', ", fix_date = '2026-03-01'"),
        to('accepted', '2026-07-10'),
        to('fixed', '2026-09-10', ', fix_date = null'),
      ],
      '2026-03',
    ],
    [
      'as closed since the day of a change: it had a fix date in the future',
      [to('fixed', '2026-05-10', ", fix_date = '2026-12-01'"), to('accepted', '2026-07-10')],
      '2026-07',
    ],
    [
      'as the fix date says, which a user changes: it was only fixed',
      [to('fixed', '2026-05-10', ", fix_date = '2026-03-01'"), "fix_date = '2026-04-01'"],
      '2026-04',
    ],
    [
      'as closed since March: opened by mistake in July and fixed again on the same day',
      [to('fixed', '2026-03-10'), to('open', '2026-07-10 10:00Z'), to('fixed', '2026-07-10 23:59:59Z')],
      '2026-03',
    ],
    [
      'as closed since July: opened and fixed on the day after',
      [to('fixed', '2026-03-10'), to('open', '2026-07-10 23:59:59Z'), to('accepted', '2026-07-11')],
      '2026-07',
    ],
    [
      'as open: opened again',
      [to('fixed', '2026-03-10'), to('accepted', '2026-05-10'), to('open', '2026-07-10')],
      undefined,
    ],
    [
      'as closed since March: its name, category, severity and relations change',
      [
        to('fixed', '2026-03-10'),
        to('accepted', '2026-07-10'),
        "name = 'x', category_id = 2",
        'severity = 8, asset_count = 1',
      ],
      '2026-03',
    ],
  ])('%s', async (_what, steps, closedSince) => {
    for (const step of steps) {
      await run(sql`update vulnerability set ${sql.raw(step)}`);
      await expectExact();
    }
    const trend = await inside(readTrend);
    expect(firstClosedMonth(trend)).toBe(closedSince);
    await inTrash([id]);
    await expectExact();
    await inside((trx) => restoreRecords(trx, 'vulnerability', [id]));
    await expectExact();
    expect(await inside(readTrend)).toEqual(trend);
    expect((await inside(recomputeOverview)).repaired).toEqual([]);
    expect(await inside(readTrend)).toEqual(trend);
  });

  it('as closed since March, and lists it by the time of its last change', async () => {
    await run(sql`update vulnerability set status = 'fixed', status_changed_at = '2026-03-10'`);
    await run(sql`update vulnerability set status = 'accepted'`);
    expect(firstClosedMonth(await inside(readTrend))).toBe('2026-03');
    const { rows } = await inside((trx) =>
      sql`select closed_on, status_changed_at > now() - interval '1 hour' as "isNew" from vulnerability`.execute(
        trx,
      ),
    );
    expect(rows).toEqual([{ closed_on: '2026-03-10', isNew: true }]);
  });
});

type Status = 'open' | 'fixed' | 'mitigated' | 'accepted';

interface Row {
  id: string;
  status: Status;
  fix_date: string | null;
}

describe('an action', () => {
  let day: string;
  let minutes: number;

  const select = (part: number) =>
    inside((trx) =>
      trx
        .selectFrom('vulnerability')
        .select(['id', 'status', 'fix_date'])
        .where(sql<boolean>`severity * 10 % ${part}::integer = 0`)
        .execute(),
    ).then((rows) => rows as Row[]);

  /** Changes the status of rows by one statement, each at a later minute of the day. */
  async function change(rows: readonly Row[], next: (row: Row) => Omit<Row, 'id'>): Promise<void> {
    minutes += 1;
    const changed = rows.map((row) => ({ id: row.id, ...next(row) }));
    await run(sql`
      update vulnerability v set status = c.status, fix_date = c.fix_date,
        status_changed_at = ${day}::timestamp at time zone 'UTC' + ${minutes}::integer * interval '1 minute'
      from jsonb_to_recordset(${JSON.stringify(changed)}) c (id uuid, status text, fix_date date)
      where v.id = c.id`);
  }

  interface Action {
    days: number;
    part: number;
    status: Status;
    hasDate: boolean;
  }
  const actions = {
    async status({ part, status, hasDate }: Action) {
      const rows = (await select(part)).filter((row) => row.status !== status);
      await change(rows, ({ fix_date }) => ({
        status,
        fix_date: status !== 'fixed' ? fix_date : hasDate ? day : null,
      }));
    },
    async 'fix date'({ part }: Action) {
      const rows = (await select(part)).filter(({ status }) => status === 'fixed');
      await run(sql`
        update vulnerability set fix_date = ${day} where id = any (${rows.map(({ id }) => id)}::uuid[])`);
    },
    async 'open and undo'({ part }: Action) {
      const rows = (await select(part)).filter(({ status }) => status !== 'open');
      await change(rows, ({ fix_date }) => ({ status: 'open', fix_date }));
      await expectExact();
      await change(rows, (row) => row);
    },
    async 'delete and restore'({ part }: Action) {
      const ids = (await select(part)).map(({ id }) => id);
      await inTrash(ids);
      await expectExact();
      await inside((trx) => restoreRecords(trx, 'vulnerability', ids));
    },
  };

  it('changes no earlier month of the exposure trend, unless it opens a vulnerability again, closes it on that same day, or changes a fix date', async () => {
    const action = fc.record({
      kind: fc.oneof(
        { weight: 3, arbitrary: fc.constant('status' as const) },
        fc.constantFrom('fix date', 'open and undo', 'delete and restore'),
      ),
      days: fc.integer({ min: 0, max: 45 }),
      // One in so many rows: few rows and many are counted by different statements.
      part: fc.constantFrom(1, 2, 7, 30),
      status: fc.constantFrom<Status>('open', 'fixed', 'mitigated', 'accepted'),
      hasDate: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 12 }), async (all) => {
        organizationId = await makeOrganization(database);
        await run(sql`
          insert into vulnerability (organization_id, id, name, severity, created_at)
          select current_organization(), gen_random_uuid(), 'Finding', n / 10.0,
            timestamptz '2026-01-01' + n * interval '1 day'
          from generate_series(1, 60) n`);
        [day, minutes] = ['2026-03-01', 0];
        let openedOn: string | undefined;
        for (const one of all) {
          day = addDays(day, one.days);
          if (one.kind === 'status' && one.status === 'open') openedOn = day;
          const earlier = async () =>
            (await inside(readTrend)).filter(({ month }) => month.slice(0, 7) < day.slice(0, 7));
          const before = await earlier();
          await actions[one.kind](one);
          await expectExact();
          const mayRewrite = one.kind === 'fix date' || openedOn === day;
          expect(mayRewrite ? before : await earlier()).toEqual(before);
        }
      }),
      { numRuns: 12 },
    );
  }, 120_000);
});

describe('migration 0073 (closing days)', () => {
  const organization = '019a0000-0000-7000-8000-000000000001';
  const other = '019a0000-0000-7000-8000-000000000002';

  interface Case {
    name: string;
    in?: string;
    status: string;
    changedAt: string;
    fixDate?: string;
    /** Changes of this vulnerability in the activity log. */
    log: [at: string, from: string, to: string][];
    closedOn: string | null;
  }
  const cases: Case[] = [
    {
      name: 'closed once',
      status: 'fixed',
      changedAt: '2026-03-10',
      log: [['2026-03-10', 'open', 'fixed']],
      closedOn: null,
    },
    {
      name: 'fixed and accepted',
      status: 'accepted',
      changedAt: '2026-07-10',
      log: [
        ['2026-03-10', 'open', 'fixed'],
        ['2026-07-10', 'fixed', 'accepted'],
      ],
      closedOn: '2026-03-10',
    },
    {
      name: 'closed with many others',
      status: 'mitigated',
      changedAt: '2026-07-10',
      log: [
        ['2026-05-10', 'fixed', 'accepted'],
        ['2026-07-10', 'accepted', 'mitigated'],
      ],
      closedOn: '2026-05-10',
    },
    {
      name: 'fixed with a fix date and accepted',
      status: 'accepted',
      changedAt: '2026-07-10',
      fixDate: '2026-02-03',
      log: [
        ['2026-05-10', 'open', 'fixed'],
        ['2026-07-10', 'fixed', 'accepted'],
      ],
      closedOn: '2026-02-03',
    },
    {
      name: 'mitigated and fixed with a fix date',
      status: 'fixed',
      changedAt: '2026-07-10',
      fixDate: '2026-07-09',
      log: [
        ['2026-05-10', 'open', 'mitigated'],
        ['2026-07-10', 'mitigated', 'fixed'],
      ],
      closedOn: '2026-05-10',
    },
    {
      name: 'opened again meanwhile',
      status: 'accepted',
      changedAt: '2026-07-10',
      log: [
        ['2026-03-10', 'open', 'fixed'],
        ['2026-05-10', 'fixed', 'open'],
        ['2026-06-10', 'open', 'fixed'],
        ['2026-07-10', 'fixed', 'accepted'],
      ],
      closedOn: '2026-06-10',
    },
    {
      name: 'open',
      status: 'open',
      changedAt: '2026-07-10',
      log: [
        ['2026-03-10', 'open', 'fixed'],
        ['2026-07-10', 'fixed', 'open'],
      ],
      closedOn: null,
    },
    {
      name: 'changed since, with many others',
      status: 'accepted',
      changedAt: '2026-08-10',
      log: [
        ['2026-03-10', 'open', 'fixed'],
        ['2026-07-10', 'fixed', 'accepted'],
      ],
      closedOn: null,
    },
    {
      name: 'perhaps opened with many others',
      in: other,
      status: 'accepted',
      changedAt: '2026-07-10',
      log: [
        ['2026-03-10', 'open', 'fixed'],
        ['2026-07-10', 'fixed', 'accepted'],
      ],
      closedOn: '2026-07-10',
    },
  ];

  it('takes the days from the activity log, and the numbers equal a recount', async () => {
    const old = await makeEmptyDatabase();
    try {
      await migrateTo(old.url, '0070-changes-of-many-rows');
      await withClient(old.url, async (client) => {
        const enter = (id: string) =>
          client.query(`select set_config('app.organization_id', $1, false)`, [id]);
        const log = (id: string | null, inOrganization: string, [at, from, to]: Case['log'][number]) =>
          client.query(
            `insert into activity (id, organization_id, at, action, noun, noun_id, detail)
             values (gen_random_uuid(), $1, $2, $3, 'vulnerabilities', $4, $5)`,
            [
              inOrganization,
              at,
              id === null ? 'vulnerability.updated-many' : 'vulnerability.updated',
              id,
              JSON.stringify({ changes: { status: { from, to } } }),
            ],
          );
        for (const id of [organization, other]) {
          await enter(id);
          await client.query(`insert into organization (organization_id, name) values ($1, 'Quay')`, [id]);
        }
        await log(null, other, ['2026-04-10', 'fixed', 'open']);
        for (const { name, status, changedAt, fixDate = null, ...one } of cases) {
          const inOrganization = one.in ?? organization;
          await enter(inOrganization);
          const id = newId();
          await client.query(
            `insert into vulnerability (organization_id, id, name, severity, created_at, status, status_changed_at, fix_date)
             values ($1, $2, $3, 5, '2026-01-10', $4, $5, $6)`,
            [inOrganization, id, name, status, changedAt, fixDate],
          );
          for (const entry of one.log) await log(id, inOrganization, entry);
        }
      });
      await migrateToLatest(old.url);

      const opened = openDatabase({ url: old.url, max: 1 });
      try {
        for (const id of [organization, other]) {
          const of = cases.filter((one) => (one.in ?? organization) === id);
          const read = await withOrganization(opened, id, async (trx) => ({
            days: await trx
              .selectFrom('vulnerability')
              .select(['name', 'closed_on'])
              .orderBy('name')
              .execute(),
            repaired: (await recomputeOverview(trx)).repaired,
            totals: await readTotals(trx),
            counted: await countOverview(
              async <T>(text: string) => (await sql.raw<T>(text).execute(trx)).rows,
            ),
          }));
          expect(read.days).toEqual(
            of
              .map(({ name, closedOn }) => ({ name, closed_on: closedOn }))
              .toSorted((a, b) => a.name.localeCompare(b.name)),
          );
          expect(read.repaired).toEqual([]);
          expect(read.totals).toEqual(read.counted);
        }
      } finally {
        await opened.close();
      }
    } finally {
      await old.drop();
    }
  });
});
