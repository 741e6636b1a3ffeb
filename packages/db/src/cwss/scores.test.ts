import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAssets } from '../records/related-assets.ts';
import { cwssFixtures, scorecardOf } from '../testing/cwss.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { calculateOne } from './calculate-one.ts';
import { loadFacts } from './load-facts.ts';
import { markStale } from './mark-stale.ts';

let database: OpenDatabase;
let organizationId: string;
let make: ReturnType<typeof cwssFixtures>;
let vignetteId: string;
let vulnerabilityId: string;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
  make = cwssFixtures(organizationId);
  await inside(async (trx) => {
    vignetteId = await make.vignette(trx, 'Web shop', scorecardOf(7));
    vulnerabilityId = await make.vulnerability(trx);
  });
});
afterAll(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);

const calculate = (vignette = vignetteId) =>
  inside((trx) =>
    calculateOne(trx, {
      vulnerabilityId,
      vignetteId: vignette,
      by: null,
      jobId: null,
      cause: 'calculated',
    }),
  );
const row = () =>
  inside((trx) =>
    trx.selectFrom('vulnerability').selectAll().where('id', '=', vulnerabilityId).executeTakeFirstOrThrow(),
  );
const scores = () => inside((trx) => trx.selectFrom('cwss_score').selectAll().orderBy('version').execute());

describe('the calculation of one vulnerability', () => {
  it('stores the score with its inputs, and writes it into the vulnerability without a new version', async () => {
    const before = await row();
    const outcome = await calculate();
    expect(outcome).toMatchObject({
      missing: null,
      isChanged: true,
      vignette: { name: 'Web shop', version: 1 },
    });
    const [score] = await scores();
    expect(score).toMatchObject({
      version: 1,
      cause: 'calculated',
      vignette_id: vignetteId,
      vignette_name: 'Web shop',
      vignette_version: 1,
      inputs: { cveId: 'CVE-2024-12345', asset: null, overrides: {} },
    });
    expect(score?.vector).toContain('TI:Q,0.7');
    expect(score?.catalogue_version).toMatch(/4\.\d+/u);
    expect(await row()).toEqual({
      ...before,
      cwss_score: score?.score,
      cwss_state: 'current',
      cwss_version: 1,
      cwss_vignette_id: vignetteId,
      applied_vignette: 'Web shop',
    });
  });

  it('stores nothing when it is repeated, and stores version 2 when the vignette has another version', async () => {
    await calculate();
    expect(await calculate()).toMatchObject({ isChanged: false });
    expect(await scores()).toHaveLength(1);
    await inside((trx) => make.nextVersion(trx, vignetteId, scorecardOf(9)));
    expect(await calculate()).toMatchObject({ isChanged: true, vignette: { version: 2 } });
    const [first, second] = await scores();
    expect(second).toMatchObject({ version: 2, vignette_version: 2 });
    expect(second?.score).toBeGreaterThan(first?.score ?? 100);
    expect((await row()).cwss_version).toBe(2);
  });

  it('names what does not exist', async () => {
    expect(await calculate(vulnerabilityId)).toEqual({ missing: 'vignette' });
    await inside((trx) => trx.deleteFrom('vulnerability').execute());
    expect(await calculate()).toEqual({ missing: 'vulnerability' });
    expect(await scores()).toEqual([]);
  });
});

describe('the facts of vulnerabilities', () => {
  it('name the most critical related asset, and the factors that an analyst set', async () => {
    const [high] = await inside(async (trx) => {
      const project = await make.project(trx);
      const assets = [
        await make.asset(trx, { project, criticality: 4 }),
        await make.asset(trx, { project, criticality: 4 }),
        await make.asset(trx, { project, criticality: 2 }),
        await make.asset(trx, { project, criticality: null }),
      ];
      await addAssets(trx, { table: 'vulnerability', ids: [vulnerabilityId], assets });
      await sql`
        insert into cwss_override (organization_id, vulnerability_id, factor, code, weight, reason)
        values (${organizationId}, ${vulnerabilityId}, 'EC', 'Q', 0.1234, 'A firewall filters it.')`.execute(
        trx,
      );
      await sql`update vulnerability set cwss_overrides = '{EC}'`.execute(trx);
      return assets;
    });
    const other = await inside((trx) => make.vulnerability(trx, { cwe: [] }));
    const { rows } = await inside((trx) => loadFacts(trx, [other, vulnerabilityId, organizationId]));
    expect(rows.map(({ id }) => id)).toEqual([other, vulnerabilityId]);
    expect(rows[0]?.facts).toMatchObject({ asset: null, overrides: {}, weaknesses: [] });
    expect(rows[1]?.facts).toMatchObject({
      asset: { id: high, criticality: 4 },
      overrides: { EC: { code: 'Q', weight: 1234, reason: 'A firewall filters it.' } },
      weaknesses: [{ cwe: 'CWE-79' }],
    });
  });
});

describe('a changed vignette or catalogue', () => {
  it('marks the scores of the vignette as stale once, without a new version of the vulnerabilities', async () => {
    const unscored = await inside((trx) => make.vulnerability(trx));
    await calculate();
    const before = await row();
    expect(await inside((trx) => markStale(trx, { reason: 'vignette', vignetteId }))).toEqual([
      vulnerabilityId,
    ]);
    expect(await inside((trx) => markStale(trx, { reason: 'vignette', vignetteId }))).toEqual([]);
    expect(await inside((trx) => markStale(trx, { reason: 'vignette', vignetteId: unscored }))).toEqual([]);
    expect(await inside((trx) => markStale(trx, { reason: 'catalogue' }))).toEqual([vulnerabilityId]);
    expect(await row()).toMatchObject({
      version: before.version,
      updated_at: before.updated_at,
      cwss_stale: ['vignette', 'catalogue'],
      cwss_state: 'stale',
    });
  });

  it('in several statements is marked once, and only where the reason applies', async () => {
    const ids = await inside(async (trx) => {
      const scored = [vulnerabilityId];
      for (let n = 0; n < 4; n += 1) scored.push(await make.vulnerability(trx));
      const other = await make.vulnerability(trx);
      const bank = await make.vignette(trx, 'Bank', scorecardOf(9));
      const origin = { by: null, jobId: null, cause: 'calculated' } as const;
      for (const id of scored) await calculateOne(trx, { vulnerabilityId: id, vignetteId, ...origin });
      await calculateOne(trx, { vulnerabilityId: other, vignetteId: bank, ...origin });
      return scored.toSorted();
    });
    const mark = (atOnce: number) =>
      inside((trx) => markStale(trx, { reason: 'vignette', vignetteId }, atOnce));
    const marked = await mark(2);
    expect(new Set(typeof marked === 'number' ? [] : marked)).toEqual(new Set(ids));
    expect(await mark(2)).toEqual([]);
    const rows = await inside((trx) => trx.selectFrom('vulnerability').selectAll().orderBy('id').execute());
    expect(rows.map((one) => [one.cwss_stale.join(), one.cwss_inputs])).toEqual(
      rows.map(({ id }) => (ids.includes(id) ? ['vignette', 1] : ['', 0])),
    );
  });

  it('is followed by a calculation with the same result, which stores nothing and is current again', async () => {
    await calculate();
    await inside((trx) => markStale(trx, { reason: 'catalogue' }));
    expect(await calculate()).toMatchObject({ isChanged: false });
    expect(await row()).toMatchObject({ cwss_stale: [], cwss_state: 'current', cwss_version: 1 });
  });

  it('of another organization marks nothing', async () => {
    await calculate();
    const other = await makeOrganization(database);
    expect(await withOrganization(database, other, (trx) => markStale(trx, { reason: 'catalogue' }))).toEqual(
      [],
    );
    expect((await row()).cwss_state).toBe('current');
  });
});
