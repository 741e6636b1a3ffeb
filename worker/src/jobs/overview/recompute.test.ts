import type { JobKind, RecomputeResult } from '@riskboard/contract';
import {
  countOf,
  newId,
  type OrganizationTransaction,
  readEntries,
  readRecomputedAt,
  readSnapshots,
  readTotals,
  recomputeOverview,
  requestRecompute,
} from '@riskboard/db';
import { RetryLater } from '@riskboard/queue';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crashPoint, stopBeforeCommit } from '../../testing/crash-points.ts';
import { bundle, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';
import { moveManyEntries, requestAfterJob, requestDaily } from '../../housekeeping/overview.ts';

let harnesses: HarnessDatabase;
let admin: Client;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
  admin = new Client({ connectionString: harnesses.test.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await harnesses.close();
});
beforeEach(async () => {
  harness = await harnesses.open();
});

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> => harness.inside(work);

/** Adds open vulnerabilities with a severity of 8, related to an asset with a criticality of 5. */
const addSevere = (count: number, { withTriggers = true } = {}) =>
  admin.query(`
    begin;
    set local session_replication_role = ${withTriggers ? 'origin' : 'replica'};
    insert into project (organization_id, id, name, start_date)
    values ('${harness.organizationId}', '${harness.organizationId}', 'Harbour', '2026-01-01') on conflict do nothing;
    insert into asset (organization_id, id, project_id, name, asset_type_id, criticality)
    values ('${harness.organizationId}', '${harness.organizationId}', '${harness.organizationId}', 'Crane', 1, 5)
    on conflict do nothing;
    with added as (
      insert into vulnerability (organization_id, id, name, severity)
      select '${harness.organizationId}', gen_random_uuid(), 'Weak cipher', 8 from generate_series(1, ${count}) returning id
    )
    insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
    select '${harness.organizationId}', id, '${harness.organizationId}' from added;
    commit`);

async function recompute(): Promise<RecomputeResult> {
  const { id } = await inside((trx) => requestRecompute(trx, null));
  await harness.run(id);
  return (await harness.job(id)).result as RecomputeResult;
}

const unmoved = async (): Promise<number> => {
  const { rows } = await inside((trx) =>
    sql<{ n: number }>`select count(*)::int as n from overview_entry`.execute(trx),
  );
  return rows[0]?.n ?? 0;
};
const today = (): Promise<string> =>
  inside(async (trx) => {
    const { rows } = await sql<{ day: string }>`select (now() at time zone 'UTC')::date as day`.execute(trx);
    return rows[0]?.day ?? '';
  });
const daysFrom = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

describe('a recomputation of the overview', () => {
  it('moves the entries, which leaves the totals as they are, and repairs nothing that is right', async () => {
    await addSevere(3);
    const before = await inside((trx) => readTotals(trx));
    expect(await unmoved()).toBeGreaterThan(0);
    expect(await recompute()).toMatchObject({ repaired: 0, recounted: 0, snapshots: 1 });
    expect(await unmoved()).toBe(0);
    expect(await inside((trx) => readTotals(trx))).toEqual(before);
    expect(countOf(before, 'openSevere', 'on-mission-critical-assets')).toBe(3);
    expect(await inside(readRecomputedAt)).toBeInstanceOf(Date);
  });

  it('repairs what was written without triggers, says what differed, and finds nothing the second time', async () => {
    await addSevere(2);
    await addSevere(5, { withTriggers: false });
    expect(countOf(await inside((trx) => readTotals(trx)), 'open')).toBe(2);
    const result = await recompute();
    expect(result.recounted).toBe(5);
    expect(result.differences).toContainEqual({ measure: 'vulnerabilities', bucket: '', count: 5, sum: 0 });
    expect(result.differences).toContainEqual({ measure: 'openSeverity', bucket: 'high', count: 5, sum: 40 });
    expect(result.repaired).toBe(result.differences.length);
    const totals = await inside((trx) => readTotals(trx));
    expect(countOf(totals, 'open')).toBe(7);
    expect(countOf(totals, 'openSevere', 'on-mission-critical-assets')).toBe(7);
    const day = await today();
    const entries = await inside((trx) => readEntries(trx, { after: daysFrom(day, -1), until: day }));
    expect(entries.filter(({ measure }) => measure === 'vulnerabilities')).toEqual([
      { day, measure: 'vulnerabilities', bucket: '', cause: 'found', count: 2, sum: 0 },
      { day, measure: 'vulnerabilities', bucket: '', cause: 'repaired', count: 5, sum: 0 },
    ]);
    expect(await recompute()).toMatchObject({ repaired: 0, recounted: 0, differences: [] });
  });

  it('changes nothing when it is killed before its commit, and the next run does all of it', async () => {
    await addSevere(2, { withTriggers: false });
    const { id } = await inside((trx) => requestRecompute(trx, null));
    const stopped = crashPoint();
    const run = harness.run(id, { handlers: stopBeforeCommit(stopped) });
    await stopped.reached;
    // Another worker has taken the job over: this run may no longer commit.
    await admin.query(
      `update job set attempt = attempt + 1, heartbeat_at = now() - interval '1 hour' where id = $1`,
      [id],
    );
    stopped.open();
    await run;
    expect(countOf(await inside((trx) => readTotals(trx)), 'open')).toBe(0);
    await harness.run(id);
    expect((await harness.job(id)).result).toMatchObject({ recounted: 2 });
    expect(countOf(await inside((trx) => readTotals(trx)), 'open')).toBe(2);
  });

  it('waits in the queue while another one of its organization runs, and repairs a difference once', async () => {
    await addSevere(4, { withTriggers: false });
    const first = await inside((trx) => requestRecompute(trx, null));
    const stopped = crashPoint();
    const run = harness.run(first.id, { handlers: stopBeforeCommit(stopped) });
    await stopped.reached;
    const second = await inside((trx) => requestRecompute(trx, null));
    expect(second.id).not.toBe(first.id);
    await expect(harness.run(second.id)).rejects.toThrow(RetryLater);
    expect(await harness.job(second.id)).toMatchObject({ state: 'queued', attempt: 0, tries: 0 });
    stopped.open();
    await run;
    await harness.run(second.id);
    expect((await harness.job(second.id)).result).toMatchObject({ repaired: 0, recounted: 0 });
    expect(countOf(await inside((trx) => readTotals(trx)), 'open')).toBe(4);
  });

  it('starts once when two workers start two of them at the same time', async () => {
    const first = await inside((trx) => requestRecompute(trx, null));
    await admin.query(`update job set version = 2 where id = $1`, [first.id]);
    const second = await inside((trx) => requestRecompute(trx, null));
    const stopped = crashPoint();
    const runs = [first, second].map(({ id }) => harness.run(id, { handlers: stopBeforeCommit(stopped) }));
    const ended = Promise.allSettled(runs);
    await stopped.reached;
    await expect(Promise.race(runs)).rejects.toThrow(RetryLater);
    stopped.open();
    expect((await ended).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const jobs = await Promise.all([first, second].map(({ id }) => harness.job(id)));
    expect(jobs.map(({ attempt }) => attempt).toSorted((a, b) => a - b)).toEqual([0, 1]);
  });

  it('whose worker was lost is taken over, also while another one is marked as running', async () => {
    const first = await inside((trx) => requestRecompute(trx, null));
    await admin.query(
      `update job set state = 'running', tries = 1, attempt = 1, heartbeat_at = now() - interval '1 hour' where id = $1`,
      [first.id],
    );
    const second = await inside((trx) => requestRecompute(trx, null));
    await admin.query(`update job set state = 'running', heartbeat_at = now() where id = $1`, [second.id]);
    await harness.run(first.id);
    expect(await harness.job(first.id)).toMatchObject({ state: 'succeeded', attempt: 2 });
  });

  it('loses and doubles nothing while transactions write', async () => {
    const writes = Array.from({ length: 20 }, () =>
      inside((trx) =>
        sql`insert into vulnerability (organization_id, id, name, severity)
          values (current_organization(), gen_random_uuid(), 'Weak cipher', 8.5)`.execute(trx),
      ),
    );
    const results = await Promise.all(Array.from({ length: 4 }, () => inside(recomputeOverview)));
    await Promise.all(writes);
    expect(results.map(({ repaired }) => repaired)).toEqual([[], [], [], []]);
    expect(await recompute()).toMatchObject({ repaired: 0 });
    const totals = await inside((trx) => readTotals(trx));
    expect([countOf(totals, 'open'), totals.get('openSeverity')?.get('high')]).toEqual([
      20,
      { count: 20, sum: 170 },
    ]);
  });
});

describe('snapshots of the overview', () => {
  it('are one a day with the totals at its end, also for a change that was committed after midnight', async () => {
    await addSevere(1);
    await recompute();
    const day = await today();
    const yesterday = daysFrom(day, -1);
    // As if all of that had been yesterday, and a transaction of yesterday had committed after the run.
    await inside(async (trx) => {
      await sql`update overview_day set day = ${yesterday}`.execute(trx);
      await sql`update overview_snapshot set day = ${yesterday}, taken_at = ${yesterday}::date + interval '23 hours'`.execute(
        trx,
      );
      await sql`
        insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
        values (current_organization(), ${yesterday}, 'vulnerabilities', '', 'found', 1, 0)`.execute(trx);
    });
    await admin.query(`
      insert into vulnerability (organization_id, id, name, severity)
      values ('${harness.organizationId}', gen_random_uuid(), 'Today', 8)`);
    await recompute();
    const snapshots = await inside((trx) => readSnapshots(trx));
    expect(snapshots.map(({ day: of }) => of)).toEqual([yesterday, day]);
    expect(snapshots.map(({ totals }) => countOf(totals, 'open'))).toEqual([1, 2]);
    // One more than there are: the entry above is invented, and today's run repaired it.
    expect(snapshots.map(({ totals }) => countOf(totals, 'vulnerabilities'))).toEqual([2, 2]);
  });

  it('of a day that was over are not written again, and a day without a run has no snapshot', async () => {
    await addSevere(1);
    await recompute();
    const day = await today();
    await inside((trx) =>
      sql`update overview_snapshot set day = ${daysFrom(day, -3)}, totals = '{"open": {"older": [7, 0]}}'`.execute(
        trx,
      ),
    );
    await recompute();
    const snapshots = await inside((trx) => readSnapshots(trx));
    expect(snapshots.map(({ day: of, totals }) => [of, countOf(totals, 'open')])).toEqual([
      [daysFrom(day, -3), 7],
      [day, 1],
    ]);
  });

  it('of today are right after the clock was set back', async () => {
    await addSevere(1);
    await recompute();
    const day = await today();
    const tomorrow = daysFrom(day, 1);
    await inside(async (trx) => {
      await sql`
        insert into overview_snapshot (organization_id, day, totals, formula_version, taken_at)
        select organization_id, ${tomorrow}, totals, formula_version, taken_at + interval '1 day' from overview_snapshot`.execute(
        trx,
      );
      await sql`
        insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum) values
          (current_organization(), ${tomorrow}, 'threatsHigh', '', 'found', 3, 0),
          (current_organization(), ${tomorrow}, 'threatsHigh', '', 'deleted', -3, 0),
          (current_organization(), ${day}, 'threatsHigh', '', 'found', 2, 0)`.execute(trx);
      await sql`
        insert into threat (organization_id, id, name, risk_level)
        select current_organization(), gen_random_uuid(), 'Flood', 80 from generate_series(1, 2)`.execute(
        trx,
      );
    });
    // The invented entries count twice what the rows say; the repair is of today.
    expect(await recompute()).toMatchObject({ repaired: 1 });
    const snapshots = await inside((trx) => readSnapshots(trx, { from: day, until: day }));
    expect(snapshots.map(({ totals }) => countOf(totals, 'threatsHigh'))).toEqual([2]);
  });
});

describe('weeks of remediation', () => {
  it('have the median and the 95th percentile of the days from discovery, or creation, to the fix, without fixes before the discovery', async () => {
    await admin.query(
      `insert into vulnerability (organization_id, id, name, status, discovery_date, fix_date, created_at)
       select $1, gen_random_uuid(), 'Fixed', 'fixed', found::date, fixed::date, '2026-02-01T12:00:00Z' from (values
         ('2026-03-01', '2026-03-02'), ('2026-03-01', '2026-03-04'), ('2026-03-01', '2026-03-08'),
         (null, '2026-03-09'), ('2026-03-12', '2026-03-12'), ('2026-03-12', '2026-03-10'),
         ('2026-03-30', '2026-03-20')) v (found, fixed)`,
      [harness.organizationId],
    );
    await recompute();
    const weeks = await inside((trx) =>
      trx.selectFrom('overview_week').select(['week', 'fixed', 'p50', 'p95']).orderBy('week').execute(),
    );
    expect(weeks).toEqual([
      { week: '2026-03-02', fixed: 3, p50: 3, p95: 6.6 },
      { week: '2026-03-09', fixed: 2, p50: 18, p95: 34.2 },
    ]);
  });
});

describe('the week of a vulnerability that was found on 2026-03-01 and is fixed', () => {
  const to = (status: string, at: string, more = '') =>
    `status = '${status}', status_changed_at = '${at}'${more}`;
  it.each<[string, string[], { week: string; p50: number }]>([
    ['is that of the change to fixed', [to('fixed', '2026-03-04')], { week: '2026-03-02', p50: 3 }],
    [
      'stays when it is accepted and fixed again',
      [to('fixed', '2026-03-04'), to('accepted', '2026-07-01'), to('fixed', '2026-07-20')],
      { week: '2026-03-02', p50: 3 },
    ],
    [
      'is that of its mitigation when it is fixed later, also with a later fix date',
      [to('mitigated', '2026-03-04'), to('fixed', '2026-07-20', ", fix_date = '2026-07-19'")],
      { week: '2026-03-02', p50: 3 },
    ],
    [
      'is that of an earlier fix date',
      [to('mitigated', '2026-03-20'), to('fixed', '2026-07-20', ", fix_date = '2026-03-10'")],
      { week: '2026-03-09', p50: 9 },
    ],
    [
      'stays when an opening is undone on the same day',
      [to('fixed', '2026-03-04'), to('open', '2026-07-20T08:00:00Z'), to('fixed', '2026-07-20T08:05:00Z')],
      { week: '2026-03-02', p50: 3 },
    ],
    [
      'is that of the second fix when it was open in between',
      [to('fixed', '2026-03-04'), to('open', '2026-07-01'), to('fixed', '2026-07-20')],
      { week: '2026-07-20', p50: 141 },
    ],
  ])('%s', async (_name, changes, week) => {
    await admin.query(
      `insert into vulnerability (organization_id, id, name, created_at)
       values ($1, gen_random_uuid(), 'Weak cipher', '2026-03-01')`,
      [harness.organizationId],
    );
    for (const change of changes)
      await admin.query(`update vulnerability set ${change} where organization_id = $1`, [
        harness.organizationId,
      ]);
    expect(await recompute()).toMatchObject({ repaired: 0 });
    const weeks = await inside((trx) =>
      trx.selectFrom('overview_week').select(['week', 'fixed', 'p50']).execute(),
    );
    expect(weeks).toEqual([{ ...week, fixed: 1 }]);
  });
});

describe('requests of a recomputation', () => {
  const waiting = () =>
    inside((trx) =>
      trx.selectFrom('job').select(['id', 'created_by']).where('kind', '=', 'metrics.recompute').execute(),
    );

  it('are one job while it waits, which belongs to the first person who requested it', async () => {
    const ada = '019a0000-0000-7000-8000-000000000000';
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await inside((trx) => requestRecompute(trx, null))).id),
    );
    expect(new Set(ids).size).toBe(1);
    expect((await inside((trx) => requestRecompute(trx, ada))).id).toBe(ids[0]);
    expect((await inside((trx) => requestRecompute(trx, null))).created_by).toBe(ada);
    expect(await waiting()).toHaveLength(1);
  });

  it('of two workers that start at once, of the daily round and of a person at the same time are one job of the person', async () => {
    const ada = '019a0000-0000-7000-8000-000000000000';
    await Promise.all([
      requestDaily(harness.deps, { all: true }),
      requestDaily(harness.deps, { all: true }),
      requestDaily(harness.deps),
      inside((trx) => requestRecompute(trx, ada)),
    ]);
    expect(await waiting()).toEqual([{ id: expect.any(String), created_by: ada }]);
  });

  it('are made once a day for each organization, and for all of them on request', async () => {
    await requestDaily(harness.deps);
    expect(await waiting()).toHaveLength(1);
    await harness.run((await waiting())[0]?.id ?? '');
    await requestDaily(harness.deps);
    expect(await waiting()).toHaveLength(1);
    await requestDaily(harness.deps, { all: true });
    expect(await waiting()).toHaveLength(2);
    await inside((trx) =>
      sql`update overview_state set recomputed_at = now() - interval '1 day'`.execute(trx),
    );
    await admin.query(`delete from job where organization_id = $1`, [harness.organizationId]);
    await requestDaily(harness.deps);
    expect(await waiting()).toHaveLength(1);
  });

  it('are made again after the clock was ahead for a while, and then once a day', async () => {
    await lastRecomputed('-20 days');
    await requestDaily(harness.deps);
    const [job] = await waiting();
    expect(job).toBeDefined();
    await harness.run(job?.id ?? '');
    await admin.query(`delete from job where organization_id = $1`, [harness.organizationId]);
    await requestDaily(harness.deps);
    expect(await waiting()).toEqual([]);
  });

  const lastRecomputed = (age: string) =>
    inside((trx) =>
      sql`insert into overview_state (organization_id, recomputed_at)
        values (current_organization(), now() - ${age}::interval)
        on conflict (organization_id) do update set recomputed_at = excluded.recomputed_at`.execute(trx),
    );
  /** The recomputations that wait after the end of a job. */
  async function waitingAfter(kind: JobKind, result: Record<string, unknown> | null): Promise<number> {
    const { organizationId } = harness;
    const id = newId();
    await inside((trx) =>
      trx
        .insertInto('job')
        .values({
          organization_id: organizationId,
          id,
          kind,
          payload: '{}',
          state: result === null ? 'failed' : 'succeeded',
          result: result === null ? null : JSON.stringify(result),
          ...(result === null && { error_code: 'internal', error_message: 'x' }),
        })
        .execute(),
    );
    await requestAfterJob(harness.deps, { id, kind, organizationId });
    return (await waiting()).length;
  }

  it.each<[JobKind, Record<string, unknown>]>([
    ['stix.extract', { created: 1999, updated: 1, unchanged: 0 }],
    ['records.delete', { changed: 2000 }],
    ['records.restore', { changed: 2000 }],
    ['records.update', { changed: 2000 }],
    ['csv.import', { created: 0, updated: 2000 }],
    ['csv.undo', { deleted: 1000, restored: 1000 }],
  ])('follow a job %s that changed many records, once', async (kind, result) => {
    await lastRecomputed('1 minute');
    expect(await waitingAfter(kind, result)).toBe(1);
    expect(await waitingAfter(kind, result)).toBe(1);
    expect(harness.recorded.messages.map((message) => message.kind)).toEqual(['metrics.recompute']);
  });

  it.each<[JobKind, Record<string, unknown> | null]>([
    [
      'stix.extract',
      { created: 20, updated: 0, unchanged: 100_000, skipped: 5000, issues: [], createdIds: [] },
    ],
    ['records.delete', { matched: 5000, changed: 1999, unchanged: 3001 }],
    ['csv.import', null],
  ])('follow a job %s that changed few records only when the last is an hour old', async (kind, result) => {
    await lastRecomputed('59 minutes');
    expect(await waitingAfter(kind, result)).toBe(0);
    await lastRecomputed('61 minutes');
    expect(await waitingAfter(kind, result)).toBe(1);
  });

  it('follow the first job of an organization, and none of a kind that changes no counted records', async () => {
    expect(await waitingAfter('cwss.calculate', { changed: 100_000 })).toBe(0);
    expect(await waitingAfter('stix.extract', { created: 1, updated: 0 })).toBe(1);
  });

  it('without a person publish no event, and only the newest of their jobs is kept', async () => {
    await recompute();
    await recompute();
    expect(await waiting()).toHaveLength(1);
    expect(harness.recorded.events).toEqual([]);
    const { id } = await inside((trx) => requestRecompute(trx, '019a0000-0000-7000-8000-000000000000'));
    await harness.run(id);
    expect(harness.recorded.events.map(({ type }) => type)).toContain('job.updated');
  });

  it('publish what they repaired, also those without a person', async () => {
    await addSevere(2, { withTriggers: false });
    const { repaired } = await recompute();
    expect(repaired).toBeGreaterThan(0);
    expect(harness.recorded.events).toEqual([
      { type: 'overview.changed', action: 'updated', count: repaired, by: null },
    ]);
  });
});

it('entries of an organization that has many are moved without a recomputation', async () => {
  await harness.extract(
    (await harness.read('a.json', bundle([vulnerability({ cves: ['CVE-2026-1000'] })]))).fileId,
  );
  const before = await inside((trx) => readTotals(trx));
  const entries = await unmoved();
  await moveManyEntries(harness.deps, entries + 1);
  expect(await unmoved()).toBe(entries);
  await moveManyEntries(harness.deps, entries);
  expect(await unmoved()).toBe(0);
  expect(await inside((trx) => readTotals(trx))).toEqual(before);
  expect(before.size).toBeGreaterThan(0);
});
