import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertHarness } from '../../testing/alerts.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';

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
const run = (statement: ReturnType<typeof sql>) => harness.inside((trx) => statement.execute(trx));
const update = (id: string | undefined, change: ReturnType<typeof sql>) =>
  run(sql`update vulnerability set ${change} where id = ${id}`);

describe('a rule whose condition ends before its changes are evaluated', () => {
  it('does not alert for a vulnerability that is no longer critical, no longer open or deleted', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    const [lower, without, fixed, deleted, withdrawn] = await own.vulnerabilities(9.5, 5);
    await update(lower, sql`severity = 3`);
    await update(without, sql`severity = null`);
    await update(fixed, sql`status = 'fixed'`);
    await run(sql`delete from vulnerability where id = ${deleted}`);
    // The overview counts what reports withdrew until its status changes.
    await update(withdrawn, sql`withdrawn = 'revoked'`);
    await own.evaluate();
    expect(await own.alerts()).toMatchObject([
      { title: 'New critical vulnerability: Vulnerability 5', description: 'Severity 9.5.' },
    ]);
  });

  it('alerts when the condition holds again later', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    const [id] = await own.vulnerabilities(9.5);
    await update(id, sql`severity = 3`);
    await own.evaluate();
    expect(await titles()).toEqual([]);
    await update(id, sql`severity = 9`);
    await own.evaluate();
    expect(await own.alerts()).toMatchObject([{ description: 'Severity 9.' }]);
  });

  it('leaves out of one alert after a pause what was fixed meanwhile', async () => {
    await own.rule({ kind: 'critical-vulnerability' });
    await own.vulnerabilities(9, 10);
    await own.evaluate();
    const ids = await own.vulnerabilities(9, 13);
    expect(await own.evaluate()).toBe(0);
    await update(ids[0], sql`status = 'fixed'`);
    await update(ids[1], sql`severity = 3`);
    await run(sql`update alert set created_at = now() - interval '10 minutes'`);
    await own.evaluate();
    const alert = (await own.alerts()).at(-1);
    expect(alert).toMatchObject({ title: '11 new critical vulnerabilities', count: 11 });
    expect((await own.subjects(alert?.id)).toSorted()).toEqual(ids.slice(2).toSorted());
  });

  it('does not alert for an asset that is no longer at risk', async () => {
    await own.rule({ kind: 'asset-at-risk' });
    const [asset, other] = [await own.asset('Door'), await own.asset('Gate')];
    const ids = await own.vulnerabilities(1, 5);
    await own.relate(asset, ids);
    await own.relate(other, ids);
    await own.unrelate(asset);
    await own.evaluate();
    expect(await titles()).toEqual(['Asset at risk: Gate']);
  });

  it('does not alert for an import that was retried and has not failed again', async () => {
    await own.rule({ kind: 'import-failed' });
    const broken = '{"type": "bundle", "objects": [';
    const { parseJobId } = await harness.store('retried.json', broken, []);
    const other = await harness.store('broken.json', broken, []);
    await harness.run(parseJobId);
    await harness.run(other.parseJobId);
    await run(sql`update job set state = 'queued' where id = ${parseJobId}`);
    await own.evaluate();
    expect(await titles()).toEqual(['Import failed: broken.json']);
  });
});

describe('a rule whose value is raised before its changes are evaluated', () => {
  it('alerts for the scores that are above the new value', async () => {
    const rules = [
      await own.rule({ kind: 'score-above', score: 'asset', threshold: 0.3 }),
      await own.rule({ kind: 'score-above', score: 'cwss', threshold: 50 }),
    ];
    const [low, high] = await own.vulnerabilities(1, 2);
    await update(low, sql`cwss_score = 60`);
    await update(high, sql`cwss_score = 95`);
    await own.relate(await own.asset('Door'), [low ?? '', high ?? '']);
    await run(sql`
      update alert_rule set threshold = case score when 'cwss' then 90 else 9 end
      where id = any (${rules}::uuid[])`);
    await own.evaluate();
    expect(await own.alerts()).toMatchObject([
      { title: 'CWSS score above 90: Vulnerability 2', description: 'CWSS score 95.' },
    ]);
  });
});
