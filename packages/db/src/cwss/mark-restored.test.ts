import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockAssets } from '../locks/asset-locks.ts';
import { addAssets } from '../records/related-assets.ts';
import { cwssFixtures, scorecardOf } from '../testing/cwss.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { deleteAssets, deleteProjects } from '../trash/delete-assets.ts';
import { deleteRecords } from '../testing/delete-records.ts';
import { restoreAssets, restoreProjects } from '../trash/restore-assets.ts';
import { restoreRecords } from '../trash/restore-records.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { calculateOne } from './calculate-one.ts';

let database: OpenDatabase;
let organizationId: string;
let make: ReturnType<typeof cwssFixtures>;
let vignettes: string[];
let project: string;
let assets: string[];
let vulnerability: string;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
  make = cwssFixtures(organizationId);
  await inside(async (trx) => {
    vignettes = [
      await make.vignette(trx, 'Web shop', scorecardOf(7)),
      await make.vignette(trx, 'Bank', scorecardOf(9)),
    ];
    project = await make.project(trx);
    assets = [];
    for (const criticality of [3, 5, null]) assets.push(await make.asset(trx, { project, criticality }));
    vulnerability = await make.vulnerability(trx);
    await addAssets(trx, { table: 'vulnerability', ids: [vulnerability], assets });
    await sql`insert into cwss_override (organization_id, vulnerability_id, factor, code, weight, reason)
      values (${organizationId}, ${vulnerability}, 'EC', 'N', 1, 'Known.')`.execute(trx);
    await calculate(trx, vignettes[0] ?? '');
  });
});
afterAll(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, async (trx) => {
    await lockAssets(trx);
    return work(trx);
  });

const calculate = (trx: OrganizationTransaction, vignetteId: string) =>
  calculateOne(trx, {
    vulnerabilityId: vulnerability,
    vignetteId,
    by: null,
    jobId: null,
    cause: 'calculated',
  });

const state = () =>
  inside((trx) =>
    trx
      .selectFrom('vulnerability')
      .select(['cwss_state', 'cwss_stale', 'cwss_version', 'cwss_overrides', 'cwss_score'])
      .where('id', '=', vulnerability)
      .executeTakeFirstOrThrow(),
  );

const remove = () =>
  inside((trx) =>
    deleteRecords(trx, { table: 'vulnerability', where: sql`r.id = ${vulnerability}`, by: null }),
  );
const restore = () => inside((trx) => restoreRecords(trx, 'vulnerability', [vulnerability]));

describe('a restored vulnerability', () => {
  it('has its score, history and factors, and is current when nothing changed meanwhile', async () => {
    const before = await state();
    await remove();
    await restore();
    expect(await state()).toEqual({
      ...before,
      cwss_state: 'current',
      cwss_overrides: ['EC'],
      cwss_version: 1,
    });
    await inside((trx) => calculate(trx, vignettes[1] ?? ''));
    const history = await inside((trx) =>
      trx.selectFrom('cwss_score').select('version').orderBy('version').execute(),
    );
    expect(history.map(({ version }) => version)).toEqual([1, 2]);
  });

  it.each<[string, string[], (trx: OrganizationTransaction) => Promise<unknown>]>([
    ['its vignette', ['vignette'], (trx) => make.nextVersion(trx, vignettes[0] ?? '', scorecardOf(1))],
    ['its vignette, by deletion,', ['vignette-deleted'], (trx) => trx.deleteFrom('vignette').execute()],
    ['an asset', ['assets'], (trx) => sql`update asset set criticality = 1`.execute(trx)],
    ['an asset, by deletion,', ['assets'], (trx) => deleteAssets(trx, { ids: assets, by: null })],
  ])('is stale when %s changed meanwhile', async (_name, reasons, change) => {
    await remove();
    await inside(change);
    await restore();
    expect(await state()).toMatchObject({ cwss_state: 'stale', cwss_stale: reasons });
  });
});

describe('the score of a vulnerability whose assets were deleted and restored', () => {
  const current = { cwss_state: 'current', cwss_stale: [] };
  const stale = { cwss_state: 'stale', cwss_stale: ['assets'] };
  const removeAssets = (ids: readonly string[]) => inside((trx) => deleteAssets(trx, { ids, by: null }));
  const restoreThem = (ids: readonly string[]) => inside((trx) => restoreAssets(trx, ids));

  it('is current again after the restore of their project', async () => {
    await inside((trx) => deleteProjects(trx, { ids: [project], by: null }));
    expect(await state()).toMatchObject(stale);
    await inside((trx) => restoreProjects(trx, [project]));
    expect(await state()).toMatchObject(current);
  });

  it('is written in one version of the row with the relations', async () => {
    const inputs = () =>
      inside(async (trx) => {
        const { rows } = await sql<{ inputs: number }>`
          select cwss_inputs::int as inputs from vulnerability where id = ${vulnerability}`.execute(trx);
        return rows[0]?.inputs ?? 0;
      });
    await removeAssets(assets);
    const before = await inputs();
    await restoreThem(assets);
    expect(await state()).toMatchObject(current);
    // Each write of the row that changes what a score is calculated from counts.
    expect(await inputs()).toBe(before + 1);
  });

  it('is current again as soon as the most critical asset is restored', async () => {
    await removeAssets(assets);
    await restoreThem(assets.slice(0, 1));
    expect(await state()).toMatchObject(stale);
    await restoreThem(assets.slice(1));
    expect(await state()).toMatchObject(current);
  });

  it('is stale when another asset is the most critical one by then', async () => {
    const [other = '', most = ''] = assets;
    await removeAssets([most]);
    await inside((trx) => sql`update asset set criticality = 5 where id = ${other}`.execute(trx));
    await restoreThem([most]);
    expect(await state()).toMatchObject(stale);
  });

  it('is stale when it was calculated without them', async () => {
    await removeAssets(assets);
    await inside((trx) => calculate(trx, vignettes[0] ?? ''));
    expect(await state()).toMatchObject(current);
    await restoreThem(assets);
    expect(await state()).toMatchObject(stale);
  });

  it('keeps the other reasons, in their order', async () => {
    await removeAssets(assets);
    await inside((trx) => sql`update vulnerability set cvss_vector = 'x', cwe = '{}'`.execute(trx));
    await restoreThem(assets);
    expect(await state()).toMatchObject({ cwss_state: 'stale', cwss_stale: ['cwe', 'cvss'] });
  });

  it('is current again when the vulnerability was in the trash meanwhile', async () => {
    await removeAssets(assets);
    await remove();
    await restoreThem(assets);
    await restore();
    expect(await state()).toMatchObject(current);
  });
});
