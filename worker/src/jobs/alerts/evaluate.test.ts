import { deleteRecordsInBatches, insertJob, newId, restoreRecords } from '@riskboard/db';
import { RetryLater } from '@riskboard/queue';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestEvaluations } from '../../housekeeping/alert-rounds.ts';
import { alertHarness } from '../../testing/alerts.ts';
import { bundle, vulnerability } from '../../testing/stix2.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';
import { handlers } from '../handlers.ts';
import { collectChanges } from '../run/changed-organizations.ts';
import type { JobHandlers } from '../run/context.ts';
import { runJob } from '../run/run-job.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let own: ReturnType<typeof alertHarness>;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  own = alertHarness(harness);
});

const titles = async (): Promise<string[]> => (await own.alerts()).map(({ title }) => title);
const update = (id: string | undefined, change: ReturnType<typeof sql>) =>
  harness.inside((trx) => sql`update vulnerability set ${change} where id = ${id}`.execute(trx));

const lastImport = (age: string) =>
  harness.inside((trx) =>
    sql`update organization set last_import_at = now() - ${age}::interval`.execute(trx),
  );

const critical = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const report = bundle([vulnerability({ cves: ['CVE-2021-44228'], vector: critical })]);

describe('the rule for new critical vulnerabilities', () => {
  it('creates one alert with a link for a critical vulnerability, and none for others', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    const [id] = await own.vulnerabilities(9.8);
    await own.vulnerabilities(8.9);
    expect(await own.evaluate()).toBe(1);
    expect(await own.alerts()).toMatchObject([
      {
        kind: 'critical-vulnerability',
        severity: 'critical',
        title: 'New critical vulnerability: Vulnerability 1',
        description: 'Severity 9.8.',
        count: 1,
        link: `/dashboard/vulnerabilities/${id}`,
        for_owners: false,
      },
    ]);
    expect(harness.recorded.events.at(-1)).toMatchObject({ type: 'alert.changed', action: 'created' });
    expect(await own.evaluate()).toBe(0);
  });

  it('alerts once for a report that is imported, imported again, and imported after its records were deleted', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    const { fileId } = await harness.read('a.json', report);
    await harness.extract(fileId);
    await own.evaluate();
    expect(await titles()).toHaveLength(1);
    await harness.extract(fileId);
    await harness.extract((await harness.read('b.json', report)).fileId);
    expect(await own.evaluate()).toBe(0);
    await harness.remove(fileId);
    await harness.extract((await harness.read('c.json', report)).fileId);
    await own.evaluate();
    expect(await titles()).toHaveLength(1);
  });

  it('alerts when the severity rises to critical or a critical one is reopened, and again after it was lower', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    const [id] = await own.vulnerabilities(5);
    expect(await own.evaluate()).toBe(0);
    await update(id, sql`severity = 9`);
    await own.evaluate();
    await update(id, sql`name = 'Renamed', severity = 9.5`);
    expect(await own.evaluate()).toBe(0);
    await update(id, sql`status = 'fixed'`);
    expect(await own.evaluate()).toBe(0);
    await update(id, sql`status = 'open'`);
    await own.evaluate();
    await update(id, sql`severity = 3`);
    await update(id, sql`severity = 10`);
    await own.evaluate();
    expect(await titles()).toHaveLength(3);
  });

  it('names the CVE id of a vulnerability once', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    const ids = await own.vulnerabilities(9, 2);
    await update(ids[0], sql`name = 'CVE-2019-16278', cve_id = 'CVE-2019-16278'`);
    await update(ids[1], sql`name = 'Traversal', cve_id = 'CVE-2019-16279'`);
    await own.evaluate();
    expect((await titles()).toSorted()).toEqual([
      'New critical vulnerability: CVE-2019-16278',
      'New critical vulnerability: CVE-2019-16279 Traversal',
    ]);
  });

  it('does not alert for a vulnerability that is restored from the trash', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await harness.inside((trx) =>
      sql`insert into vulnerability (organization_id, id, name, severity, created_at)
        values (current_organization(), ${newId()}, 'Old', 10, now() - interval '1 day')`.execute(trx),
    );
    expect(await own.evaluate()).toBe(0);
  });

  it('makes one alert of an import of 10,003 critical vulnerabilities, and lists 10,000 of them', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.vulnerabilities(9, 10_003);
    await own.evaluate();
    const [alert, ...others] = await own.alerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      title: '10,003 new critical vulnerabilities',
      description: expect.stringMatching(/ and 10,000 more\. The list shows 10,000 of them\.$/u),
      count: 10_003,
      link: `/dashboard/vulnerabilities?alert=${alert?.id}`,
    });
    expect(await own.subjects(alert?.id)).toHaveLength(10_000);
  });

  it('makes one alert of more than ten findings, whose list has these and no earlier ones', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.vulnerabilities(9, 2);
    await own.evaluate();
    const ids = await own.vulnerabilities(9, 11);
    await own.evaluate();
    const alert = (await own.alerts()).at(-1);
    expect(alert).toMatchObject({ count: 11, link: `/dashboard/vulnerabilities?alert=${alert?.id}` });
    expect((await own.subjects(alert?.id)).toSorted()).toEqual(ids.toSorted());
    expect(await titles()).toHaveLength(3);
  });

  it('makes one alert of what a rule finds in the ten minutes after ten alerts, when they are over', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.rule({ kind: 'score-above', score: 'cwss', threshold: 50 });
    await own.vulnerabilities(9, 10);
    await own.evaluate();
    for (let imports = 0; imports < 4; imports += 1) {
      await own.vulnerabilities(9, 3);
      expect(await own.evaluate()).toBe(0);
    }
    // The other rule does not wait, and takes nothing from the one that does.
    await update((await own.vulnerabilities(1))[0], sql`cwss_score = 60`);
    await own.evaluate();
    expect(await titles()).toHaveLength(11);
    await harness.inside((trx) =>
      sql`update alert set created_at = now() - interval '10 minutes'`.execute(trx),
    );
    await own.evaluate();
    expect((await titles()).slice(11)).toEqual(['12 new critical vulnerabilities']);
  });

  it('costs no noted change while no rule watches, and leaves no change of a disabled or deleted rule', async () => {
    await own.vulnerabilities(9, 3);
    const disabled = await own.rule({ kind: 'critical-vulnerability', enabled: false });
    await own.vulnerabilities(9, 3);
    const noted = () =>
      harness.inside(async (trx) => (await trx.selectFrom('alert_change').selectAll().execute()).length);
    expect(await noted()).toBe(0);
    await harness.inside((trx) => sql`update alert_rule set enabled = true`.execute(trx));
    await own.vulnerabilities(9, 3);
    expect(await noted()).toBe(1);
    await harness.inside((trx) => sql`delete from alert_rule where id = ${disabled}`.execute(trx));
    await own.evaluate();
    expect(await noted()).toBe(0);
    expect(await titles()).toEqual([]);
  });
});

describe('a rule that is deleted and restored', () => {
  const setDeleted = (at: ReturnType<typeof sql>) =>
    harness.inside((trx) => sql`update alert_rule set deleted_at = ${at}`.execute(trx));

  it('reports a silence once that it had reported', async () => {
    await own.rule({ kind: 'nothing-imported', days: 3 });
    await lastImport('73 hours');
    expect(await own.evaluate()).toBe(1);
    await setDeleted(sql`now()`);
    await setDeleted(sql`null`);
    expect(await own.evaluate()).toBe(0);
    expect(await titles()).toHaveLength(1);
  });

  it('reports nothing in between, and then each change once that was noted before or in between', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.rule({ kind: 'nothing-imported', days: 3 });
    await own.rule({ kind: 'score-above', score: 'overall', threshold: 8 });
    await own.evaluate();
    await own.vulnerabilities(9);
    await setDeleted(sql`now()`);
    await own.vulnerabilities(9);
    await lastImport('73 hours');
    expect(await own.evaluate()).toBe(0);
    expect(await titles()).toEqual([]);
    await setDeleted(sql`null`);
    expect(await own.evaluate()).toBe(1);
    expect((await own.alerts()).map(({ kind }) => kind).toSorted()).toEqual([
      'critical-vulnerability',
      'critical-vulnerability',
      'nothing-imported',
      'score-above',
    ]);
    expect(await own.evaluate()).toBe(0);
  });
});

describe('an evaluation', () => {
  const evaluation = () =>
    harness.inside((trx) =>
      insertJob(trx, { kind: 'alerts.evaluate', payload: {}, organizationId: harness.organizationId }),
    );

  it('of two workers at once, and run again, creates each alert once', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.vulnerabilities(9, 5);
    const jobs = [await evaluation(), await evaluation(), await evaluation()];
    await Promise.all(jobs.map((id) => harness.run(id)));
    for (const id of jobs) await harness.run(id);
    expect(await titles()).toHaveLength(5);
    const results = await Promise.all(jobs.map(harness.job));
    expect(
      results.map(({ result }) => (result as { alerts: number }).alerts).toSorted((a, b) => a - b),
    ).toEqual([0, 0, 5]);
  });

  it('that fails creates nothing, and the next try creates everything once', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.vulnerabilities(9, 2);
    const id = await evaluation();
    const failing: TestHarness['deps'] = {
      ...harness.deps,
      get origin(): string {
        throw new Error('crash before the commit');
      },
    };
    const message = { id, kind: 'alerts.evaluate', organizationId: harness.organizationId } as const;
    await expect(
      runJob(failing, { handlers, message, shutdown: new AbortController().signal }),
    ).rejects.toBeInstanceOf(RetryLater);
    expect(await titles()).toEqual([]);
    await harness.run(id);
    expect(await titles()).toHaveLength(2);
  });

  it('is requested once by several workers at once', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.vulnerabilities(9);
    const requested = await Promise.all(
      Array.from({ length: 4 }, () => requestEvaluations(harness.deps, [harness.organizationId])),
    );
    expect(requested.reduce((sum, one) => sum + one, 0)).toBe(1);
  });

  it.each([
    ['failed', 'failed' as const],
    ['was cancelled', 'cancelled' as const],
  ])('that %s is followed by another one after ten minutes, not before', async (_what, state) => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.vulnerabilities(9);
    const id = await evaluation();
    const next = async (minutes: number) => {
      const finished_at = sql<Date>`now() - make_interval(mins => ${minutes})`;
      await harness.inside((trx) =>
        trx.updateTable('job').set({ state, finished_at }).where('id', '=', id).execute(),
      );
      return requestEvaluations(harness.deps, [harness.organizationId]);
    };
    expect(await next(9)).toBe(0);
    expect(await next(11)).toBe(1);
  });

  it('is followed by another one when a change is committed and announced while it ends', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.vulnerabilities(9);
    const changes = collectChanges(harness.deps.relay, () => undefined);
    const id = await evaluation();
    const message = { id, kind: 'alerts.evaluate', organizationId: harness.organizationId } as const;
    const late: JobHandlers = {
      ...handlers,
      'alerts.evaluate': (context) =>
        handlers['alerts.evaluate']({
          ...context,
          async finish(trx, result) {
            await own.vulnerabilities(9);
            changes.take();
            expect(await requestEvaluations(harness.deps, [harness.organizationId])).toBe(0);
            await context.finish(trx, result);
          },
        }),
    };
    await runJob(harness.deps, { handlers: late, message, shutdown: new AbortController().signal });
    expect(await titles()).toHaveLength(1);
    const among = changes.take();
    changes.stop();
    expect(among).toEqual([harness.organizationId]);
    await own.evaluate();
    expect(await titles()).toHaveLength(2);
  });

  it('that runs before an earlier transaction commits leaves its change to the next one', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await harness.inside(async (trx) => {
      await sql`insert into vulnerability (organization_id, id, name, severity)
        values (current_organization(), ${newId()}, 'Early', 9)`.execute(trx);
      await own.vulnerabilities(9);
      await own.evaluate();
      expect(await titles()).toHaveLength(1);
    });
    await own.evaluate();
    expect((await titles())[1]).toBe('New critical vulnerability: Early');
  });

  it('reads and writes nothing of another organization', async () => {
    const other = await harnesses.open();
    const theirs = alertHarness(other);
    await own.rule({ kind: 'critical-vulnerability' });
    await theirs.rule({ kind: 'critical-vulnerability' });
    await theirs.vulnerabilities(9);
    expect(await own.evaluate()).toBe(0);
    expect(await theirs.evaluate()).toBe(1);
    expect([(await own.alerts()).length, (await theirs.alerts()).length]).toEqual([0, 1]);
  });

  it('is not requested for an organization that is being deleted', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.vulnerabilities(9);
    await harness.inside((trx) => sql`update organization set deleting_at = now()`.execute(trx));
    expect(await own.evaluate()).toBe(0);
  });
});

describe('the rule for assets at risk', () => {
  it('alerts when an asset becomes at risk, and again after it was not', async () => {
    await own.rule({ kind: 'asset-at-risk' });
    const asset = await own.asset('Door');
    const ids = await own.vulnerabilities(1, 5);
    await own.relate(asset, ids.slice(0, 3));
    expect(await own.evaluate()).toBe(0);
    await own.relate(asset, ids.slice(3, 4));
    await own.evaluate();
    await own.relate(asset, ids.slice(4));
    expect(await own.evaluate()).toBe(0);
    await own.unrelate(asset);
    expect(await own.evaluate()).toBe(0);
    await own.relate(asset, ids);
    await own.evaluate();
    expect(await own.alerts()).toMatchObject([
      {
        title: 'Asset at risk: Door',
        description: expect.stringContaining('Related records of every status count.'),
        severity: 'high',
        link: `/dashboard/assets/${asset}`,
      },
      { title: 'Asset at risk: Door' },
    ]);
  });
});

describe('records that are deleted and restored', () => {
  const remove = (ids: readonly string[]) =>
    harness.inside((trx) =>
      deleteRecordsInBatches(
        trx,
        { table: 'vulnerability', where: sql<boolean>`r.id = any (${ids}::uuid[])`, by: null },
        () => undefined,
      ),
    );
  const restore = (ids: string[]) => harness.inside((trx) => restoreRecords(trx, 'vulnerability', ids));

  it('do not alert again for an asset that was at risk, or had a score above the value, before the deletion', async () => {
    await own.rule({ kind: 'asset-at-risk' });
    await own.rule({ kind: 'score-above', score: 'asset', threshold: 1 });
    const asset = await own.asset('Door');
    const ids = await own.vulnerabilities(1, 5);
    await own.relate(asset, ids);
    await own.evaluate();
    expect(await titles()).toHaveLength(2);
    await remove(ids);
    await restore(ids);
    expect(await own.evaluate()).toBe(0);
    expect(await titles()).toHaveLength(2);
  });

  it('alert for an asset that is at risk only with what was related meanwhile, beside one that was before', async () => {
    await own.rule({ kind: 'asset-at-risk' });
    const [door, crane] = [await own.asset('Door'), await own.asset('Crane')];
    const ids = await own.vulnerabilities(1, 5);
    await own.relate(door, ids);
    await own.relate(crane, ids.slice(0, 2));
    await own.evaluate();
    await remove(ids);
    await own.relate(crane, await own.vulnerabilities(1, 3));
    expect(await own.evaluate()).toBe(0);
    await restore(ids);
    await own.evaluate();
    expect(await titles()).toEqual(['Asset at risk: Door', 'Asset at risk: Crane']);
  });
});

describe('the rule for scores', () => {
  it('alerts when the overall score crosses the value upwards, not at each evaluation', async () => {
    await own.rule({ kind: 'score-above', score: 'overall', threshold: 8 });
    expect(await own.evaluate()).toBe(1);
    expect(await own.evaluate()).toBe(0);
    // Each open and new vulnerability adds 5 (spec 9, Overview).
    const first = await own.vulnerabilities(1, 2);
    await own.evaluate();
    expect(await own.alerts()).toMatchObject([
      { title: 'Overall risk score above 8', description: 'It is 10 now.', link: '/dashboard/overview' },
    ]);
    await own.vulnerabilities(1);
    expect(await own.evaluate()).toBe(0);
    for (const id of first) await update(id, sql`status = 'fixed'`);
    expect(await own.evaluate()).toBe(1);
    await own.vulnerabilities(1);
    await own.evaluate();
    expect(await titles()).toHaveLength(2);
  });

  it('does not alert for a score that was above the value when the rule began', async () => {
    await own.vulnerabilities(1, 2);
    await own.rule({ kind: 'score-above', score: 'overall', threshold: 8 });
    await own.evaluate();
    expect(await titles()).toEqual([]);
  });

  it('alerts for each asset and each vulnerability whose score crosses the value', async () => {
    await own.rule({ kind: 'score-above', score: 'asset', threshold: 0.3 });
    await own.rule({ kind: 'score-above', score: 'cwss', threshold: 50 });
    const [id = '', other = ''] = await own.vulnerabilities(1, 2);
    const asset = await own.asset('Door');
    await own.relate(asset, [id]);
    await update(id, sql`cwss_score = 50`);
    expect(await own.evaluate()).toBe(0);
    await own.relate(asset, [other]);
    await update(id, sql`cwss_score = 50.1`);
    await own.evaluate();
    await update(id, sql`cwss_score = 99`);
    expect(await own.evaluate()).toBe(0);
    expect((await titles()).toSorted()).toEqual([
      'CWSS score above 50: Vulnerability 1',
      'Risk score above 0.3: Door',
    ]);
  });
});

describe('an alert of a worker whose clock is behind', () => {
  it('sorts after those that were created before it', async () => {
    const later = 'ffa221e8-715d-761d-a231-5bcb93da9fcf';
    await harness.inside((trx) =>
      sql`
        insert into alert (organization_id, id, kind, severity, title, description, count, link)
        values (current_organization(), ${later}, 'critical-vulnerability', 'high', 'Earlier', '', 1, '/')`.execute(
        trx,
      ),
    );
    await own.rule({ kind: 'critical-vulnerability' });
    await own.vulnerabilities(9, 2);
    await own.evaluate();
    const ids = (await own.alerts()).map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe(later);
  });
});

describe('the rules for imports', () => {
  it('alert for each failed import, once for a report whose extraction waited for it', async () => {
    await own.rule({ kind: 'import-failed' });
    const { parseJobId } = await harness.store('broken.json', '{"type": "bundle", "objects": [', ['threats']);
    await harness.run(parseJobId);
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'failed' });
    await own.evaluate();
    const [alert, ...others] = await own.alerts();
    expect(alert).toMatchObject({
      title: 'Import failed: broken.json',
      severity: 'medium',
      link: `/dashboard/jobs?alert=${alert?.id}`,
    });
    expect(others).toEqual([]);
    expect(await own.subjects(alert?.id)).toEqual([parseJobId]);
  });

  it('alert once for each silence of the days, which an import ends', async () => {
    await own.rule({ kind: 'nothing-imported', days: 3 });
    expect(await own.evaluate()).toBe(0);
    await harness.inside((trx) =>
      sql`update organization set created_at = now() - interval '4 days'`.execute(trx),
    );
    await own.evaluate();
    expect(await own.evaluate()).toBe(0);
    expect(await own.alerts()).toMatchObject([
      { title: 'Nothing imported for 3 days', description: 'Nothing was imported yet.' },
    ]);
    await harness.read('a.json', report);
    expect(await own.evaluate()).toBe(0);
    await lastImport('73 hours');
    expect(await own.evaluate()).toBe(1);
    expect(await own.evaluate()).toBe(0);
    expect(await titles()).toHaveLength(2);
  });

  it('know of an import whose file was deleted, and of one that was extracted again without success', async () => {
    await own.rule({ kind: 'nothing-imported', days: 3 });
    await harness.inside((trx) =>
      sql`update organization set created_at = now() - interval '4 days'`.execute(trx),
    );
    const { fileId } = await harness.read('a.json', report);
    await harness.inside((trx) => sql`update job set state = 'failed'`.execute(trx));
    expect(await own.evaluate()).toBe(0);
    await harness.remove(fileId);
    expect(await own.evaluate()).toBe(0);
    await lastImport('73 hours');
    await own.evaluate();
    expect(await titles()).toEqual(['Nothing imported for 3 days']);
  });
});
