import type { OverviewPriorities } from '@riskboard/contract/schemas';
import { newId, type OrganizationTransaction, withOrganization } from '@riskboard/db';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { daysAgo, insertVulnerability } from '../testing/past-days.ts';
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

type Trx = OrganizationTransaction;
const read = async () => {
  const answer = await ada.get('/api/overview/priorities');
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  return answer.json<OverviewPriorities>();
};
const inOrganization = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
  withOrganization(api.database, ada.user.organizationId, work);

async function insertAsset(trx: Trx, levels: { criticality?: number; confidentiality_level?: number } = {}) {
  const [project, id] = [newId(), newId()];
  const common = { organization_id: ada.user.organizationId, name: 'Harbour' };
  await trx
    .insertInto('project')
    .values({ ...common, id: project, start_date: '2026-01-01' })
    .execute();
  await trx
    .insertInto('asset')
    .values({ ...common, id, project_id: project, asset_type_id: 1, ...levels })
    .execute();
  return id;
}

async function insertThreat(trx: Trx): Promise<string> {
  const id = newId();
  await trx
    .insertInto('threat')
    .values({ organization_id: ada.user.organizationId, id, name: 'Flood', risk_level: 40 })
    .execute();
  return id;
}

const relate = (trx: Trx, noun: 'vulnerability' | 'threat', [record, asset]: [string, string]) =>
  sql`insert into ${sql.table(`${noun}_asset`)} (organization_id, ${sql.ref(`${noun}_id`)}, asset_id)
    values (current_organization(), ${record}, ${asset}) on conflict do nothing`.execute(trx);

/** The weighted sum, counted from the rows. */
async function sumOf(trx: Trx): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select 2 * (select count(*) from threat) + 3 * (select count(*) from vulnerability where status = 'open')
      + 2 * (select count(*) from vulnerability where status = 'open'
        and (created_at at time zone 'UTC')::date >= (now() at time zone 'UTC')::date - 30)
      + 1.5 * (select count(*) from asset where health = 'Critical' or risk_score >= 7) as sum`.execute(trx);
  return rows[0]?.sum ?? 0;
}

class Undone extends Error {}

/** The weighted sum after a change, which is undone. */
async function sumAfter(change: (trx: Trx) => Promise<unknown>): Promise<number> {
  let sum = 0;
  await inOrganization(async (trx) => {
    await change(trx);
    sum = await sumOf(trx);
    throw new Undone();
  }).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return sum;
}

const resolve = (condition: ReturnType<typeof sql>) => (trx: Trx) =>
  sql`update vulnerability set status = 'fixed' where status = 'open' and ${condition}`.execute(trx);

/** The change of the rows that the code of a priority means. */
async function changeOf(code: string): Promise<(trx: Trx) => Promise<unknown>> {
  const [kind = '', id = ''] = code.split('.');
  if (kind === 'new')
    return resolve(sql`(created_at at time zone 'UTC')::date >= (now() at time zone 'UTC')::date - 30`);
  if (kind === 'critical') return resolve(sql`severity >= 9`);
  if (kind === 'category') return resolve(sql`category_id = ${id}::integer`);
  if (kind === 'asset-vulnerabilities')
    return resolve(
      sql`id in (select vulnerability_id from vulnerability_asset where asset_id = ${id}::uuid)`,
    );
  if (kind === 'vulnerability')
    return (trx) => sql`delete from vulnerability where id = ${id}::uuid`.execute(trx);
  if (kind === 'threat') return (trx) => sql`delete from threat where id = ${id}::uuid`.execute(trx);
  if (kind === 'asset') return (trx) => sql`delete from asset where id = ${id}::uuid`.execute(trx);
  if (kind === 'assets-at-risk')
    return (trx) => sql`delete from asset where health = 'Critical' or risk_score >= 7`.execute(trx);
  throw new Error(`No change is known for ${code}`);
}

/** The weighted changes of every candidate of the organization, by brute force. */
async function allCandidates(): Promise<number[]> {
  const before = await inOrganization(sumOf);
  const ids = await inOrganization((trx) =>
    sql<{ code: string }>`
      select 'vulnerability.' || id as code from vulnerability union all select 'threat.' || id from threat`.execute(
      trx,
    ),
  );
  const weighted: number[] = [];
  for (const { code } of ids.rows) weighted.push((await sumAfter(await changeOf(code))) - before);
  return weighted.filter((one) => one < 0).toSorted((a, b) => a - b);
}

const small = fc.nat({ max: 4 });
const anyOrganization = fc.record({
  vulnerabilities: fc.array(
    fc.record({
      severity: fc.constantFrom(null, 3.1, 9.4),
      age: fc.constantFrom(0, 30, 31),
      category_id: fc.constantFrom(1, 2),
      status: fc.constantFrom('open', 'open', 'fixed'),
    }),
    { maxLength: 6 },
  ),
  threats: fc.nat({ max: 3 }),
  assets: fc.array(
    fc.record({ criticality: fc.constantFrom(1, 5), confidentiality_level: fc.constantFrom(1, 5) }),
    { maxLength: 3 },
  ),
  relations: fc.array(fc.record({ isThreat: fc.boolean(), record: small, asset: small }), { maxLength: 25 }),
});

it('each priority has the score that a count without its finding gives, and no single finding lowers it more', async () => {
  await fc.assert(
    fc.asyncProperty(anyOrganization, async ({ vulnerabilities, threats, assets, relations }) => {
      ada = await signUp(api);
      await inOrganization(async (trx) => {
        const flaws: string[] = [];
        for (const { severity, age, category_id, status } of vulnerabilities)
          flaws.push(
            await insertVulnerability(trx, {
              day: daysAgo(age),
              severity,
              category_id,
              status: status === 'open' ? 'open' : 'fixed',
            }),
          );
        const dangers: string[] = [];
        for (let at = 0; at < threats; at += 1) dangers.push(await insertThreat(trx));
        const targets: string[] = [];
        for (const levels of assets) targets.push(await insertAsset(trx, levels));
        for (const { isThreat, record, asset } of relations) {
          const [from, to] = [(isThreat ? dangers : flaws)[record], targets[asset]];
          if (from !== undefined && to !== undefined)
            await relate(trx, isThreat ? 'threat' : 'vulnerability', [from, to]);
        }
      });
      const before = await inOrganization(sumOf);
      const { score, items, findings } = await read();
      expect(score).toBe(Math.min(100, Math.round(before)));
      expect(items.length).toBeLessThanOrEqual(5);
      for (const { code, scoreAfter, delta, weighted } of items) {
        const after = await sumAfter(await changeOf(code));
        expect([code, weighted, scoreAfter, delta]).toEqual([
          code,
          after - before,
          Math.min(100, Math.round(after)),
          Math.min(100, Math.round(after)) - score,
        ]);
      }
      const listed = items.map(({ weighted }) => weighted);
      expect(listed).toEqual(listed.toSorted((a, b) => a - b));
      const isSingle = ({ code }: { code: string }) => /^(?:vulnerability|threat|asset)\./u.test(code);
      expect(findings.every(isSingle)).toBe(true);
      expect(findings.slice(0, items.filter(isSingle).length)).toEqual(items.filter(isSingle));
      const all = await allCandidates();
      const leastListed = listed.length < 5 ? 0 : (listed.at(-1) ?? 0);
      const missed = all.filter((one) => one < leastListed);
      for (const one of missed) expect(listed).toContain(one);
      expect(missed.length).toBeLessThanOrEqual(listed.length);
      expect(items.length === 0).toBe(before === 0);
    }),
    { numRuns: 6 },
  );
});

it('there is nothing to do first when nothing raises the score', async () => {
  await inOrganization((trx) => insertVulnerability(trx, { day: daysAgo(1), severity: 9, status: 'fixed' }));
  expect(await read()).toEqual({ score: 0, items: [], findings: [] });
});

it('a threat without which several assets would no longer be at risk comes before other single findings', async () => {
  const threat = await inOrganization(async (trx) => {
    const id = await insertThreat(trx);
    for (let at = 0; at < 3; at += 1) {
      const asset = await insertAsset(trx, { criticality: 5, confidentiality_level: 5 });
      // (5 + 2 + 10 + 5 × 0.5 + 2 × 0.7) ÷ 3 is a score of 7.0; one threat less gives 6.8.
      for (let n = 0; n < 4; n += 1) await relate(trx, 'threat', [await insertThreat(trx), asset]);
      await relate(trx, 'threat', [id, asset]);
      for (let n = 0; n < 2; n += 1)
        await relate(trx, 'vulnerability', [
          await insertVulnerability(trx, { day: daysAgo(90), status: 'fixed' }),
          asset,
        ]);
      await sql`update asset set integrity_level = 2 where id = ${asset}`.execute(trx);
    }
    return id;
  });
  const { items } = await read();
  expect(items[0]).toMatchObject({
    code: `threat.${threat}`,
    weighted: -6.5,
    link: `/dashboard/threats/${threat}`,
    description: expect.stringContaining('3 assets would no longer be at risk'),
  });
});

it('the weighted sum orders the changes that the limit of 100 hides', async () => {
  await inOrganization(async (trx) => {
    for (let at = 0; at < 60; at += 1)
      await insertVulnerability(trx, { day: daysAgo(90), severity: at < 3 ? 9.5 : 4 });
    for (let at = 0; at < 2; at += 1) await insertVulnerability(trx, { day: daysAgo(0), severity: 4 });
  });
  const { score, items } = await read();
  expect(score).toBe(100);
  expect(items.slice(0, 2)).toMatchObject([
    {
      code: 'new',
      title: 'Resolve the 2 new vulnerabilities',
      scoreAfter: 100,
      delta: 0,
      weighted: -10,
      link: '/dashboard/vulnerabilities?status=new',
    },
    { code: 'critical', weighted: -9, link: '/dashboard/vulnerabilities?severity=critical&status=open' },
  ]);
});

it('the priorities of one organization do not contain findings of another', async () => {
  await inOrganization((trx) => insertVulnerability(trx, { day: daysAgo(0), severity: 9 }));
  expect((await read()).items).toHaveLength(1);
  ada = await signUp(api);
  expect((await read()).items).toEqual([]);
});
