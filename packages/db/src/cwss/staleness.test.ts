import type { CwssStaleReason } from '@riskboard/contract';
import { type CwssFacts, type CwssInputs, rateFacts } from '@riskboard/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockAssets } from '../locks/asset-locks.ts';
import { addAssets, setAssets } from '../records/related-assets.ts';
import { updateAssets } from '../records/update-assets.ts';
import { updateRecords } from '../records/update-many.ts';
import { cwssFixtures, scorecardOf } from '../testing/cwss.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { deleteAssets } from '../trash/delete-assets.ts';
import { deleteRecords } from '../testing/delete-records.ts';
import { restoreAssets } from '../trash/restore-assets.ts';
import { restoreRecords } from '../trash/restore-records.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { calculateOne } from './calculate-one.ts';
import { loadFacts } from './load-facts.ts';
import { markStale } from './mark-stale.ts';
import { loadScoringVignettes } from './scoring-vignette.ts';

let database: OpenDatabase;
let organizationId: string;
let make: ReturnType<typeof cwssFixtures>;
let vignettes: string[];
let assets: string[];
let vulnerabilities: string[];
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
    const project = await make.project(trx);
    assets = [];
    for (const criticality of [3, 5, null]) assets.push(await make.asset(trx, { project, criticality }));
    vulnerabilities = [];
    for (let n = 0; n < 4; n += 1) vulnerabilities.push(await make.vulnerability(trx));
  });
});
afterAll(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, async (trx) => {
    await lockAssets(trx);
    return work(trx);
  });

const calculate = (trx: OrganizationTransaction, vulnerabilityId: string, vignetteId: string) =>
  calculateOne(trx, { vulnerabilityId, vignetteId, by: null, jobId: null, cause: 'calculated' });

interface ScoredRow {
  id: string;
  version: number;
  cwss_state: string;
  cwss_stale: string[];
  cwss_overrides: string[];
  inputs: CwssInputs;
  vignette_id: string;
  vignette_version: number;
}

const scoredRows = async (trx: OrganizationTransaction): Promise<ScoredRow[]> =>
  (
    await sql<ScoredRow>`
      select v.*, s.inputs, s.vignette_id, s.vignette_version from vulnerability v
      join cwss_score s on s.organization_id = v.organization_id and s.vulnerability_id = v.id
        and s.version = v.cwss_version
      where v.cwss_score is not null order by v.id`.execute(trx)
  ).rows;

const asset = ({ asset: one }: CwssInputs) => `${one?.id} ${one?.criticality}`;
/** The same text for equal overrides in any order of their keys. */
const overrides = ({ overrides: set }: CwssInputs) =>
  Object.entries(set)
    .map(([factor, { code, weight, reason }]) => `${factor}:${code},${weight} ${reason}`)
    .toSorted()
    .join('; ');
const weaknesses = ({ weaknesses: all }: CwssInputs) => all.map(({ cwe }) => cwe).join();

/** The reasons that a comparison of the stored inputs with those of now gives. */
async function reasonsOf(
  trx: OrganizationTransaction,
  row: ScoredRow,
  facts: CwssFacts,
): Promise<CwssStaleReason[]> {
  const [vignette] = await loadScoringVignettes(trx, [row.vignette_id]);
  const now = rateFacts(facts, vignette?.scorecard ?? []);
  const was = row.inputs;
  const differences: [CwssStaleReason, boolean][] = [
    ['cve', now.cveId !== was.cveId],
    ['cvss', now.cvssVector !== was.cvssVector],
    ['cwe', weaknesses(now) !== weaknesses(was)],
    ['assets', asset(now) !== asset(was)],
    ['factors', overrides(now) !== overrides(was)],
    ['vignette', vignette !== undefined && vignette.version !== row.vignette_version],
    ['vignette-deleted', vignette === undefined],
  ];
  return differences.filter(([, differs]) => differs).map(([reason]) => reason);
}

/** Scores that are marked otherwise than the comparison requires. */
const wrongMarks = (): Promise<object[]> =>
  inside(async (trx) => {
    const wrong: object[] = [];
    const scored = await scoredRows(trx);
    const { rows } = await loadFacts(
      trx,
      scored.map(({ id }) => id),
    );
    expect(rows).toHaveLength(scored.length);
    for (const [n, row] of scored.entries()) {
      const facts = rows[n]?.facts;
      const expected = facts ? await reasonsOf(trx, row, facts) : [];
      const state = row.cwss_stale.length > 0 ? 'stale' : 'current';
      if (expected.some((reason) => !row.cwss_stale.includes(reason)) || row.cwss_state !== state)
        wrong.push({ id: row.id, expected, marked: row.cwss_stale, state: row.cwss_state });
    }
    return wrong;
  });

/** A generator of pseudo-random numbers below a limit, with a fixed start (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = ReturnType<typeof randomFrom>;
const one = (random: Random, of: readonly string[]): string => of[random(of.length)] ?? '';
const some = (random: Random, of: readonly string[]): string[] => of.filter(() => random(2) === 0);
const setColumn =
  (column: string, values: readonly unknown[]) => (trx: OrganizationTransaction, random: Random) =>
    sql`update vulnerability set ${sql.ref(column)} = ${values[random(values.length)]}
    where id = ${one(random, vulnerabilities)}`.execute(trx);

/** What users and jobs do. */
const actions: ((trx: OrganizationTransaction, random: Random) => Promise<unknown>)[] = [
  setColumn('cwe', [['CWE-79'], ['CWE-89', 'CWE-79'], []]),
  setColumn('cve_id', ['', 'CVE-2024-12345']),
  setColumn('cvss_vector', ['', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H']),
  setColumn('name', ['Renamed', 'Renamed again']),
  async (trx, random) => {
    const id = one(random, vulnerabilities);
    const known = await trx.selectFrom('vulnerability').select('id').where('id', '=', id).executeTakeFirst();
    if (known) await setAssets(trx, { table: 'vulnerability', id, assets: some(random, assets) });
  },
  (trx, random) =>
    updateRecords(trx, {
      table: 'vulnerability',
      where: sql`r.id = any (${some(random, vulnerabilities)}::uuid[])`,
      change: { columns: {}, addAssets: some(random, assets), removeAssets: some(random, assets) },
      by: null,
    }),
  (trx, random) =>
    updateAssets(trx, {
      where: sql`r.id = any (${some(random, assets)}::uuid[])`,
      change: { columns: { criticality: 1 + random(5) }, addAssets: [], removeAssets: [] },
      by: null,
    }),
  (trx, random) => deleteAssets(trx, { ids: some(random, assets), by: null }),
  (trx) => restoreAssets(trx, assets),
  (trx, random) =>
    deleteRecords(trx, {
      table: 'vulnerability',
      where: sql`r.id = any (${some(random, vulnerabilities)}::uuid[])`,
      by: null,
    }),
  (trx) => restoreRecords(trx, 'vulnerability', vulnerabilities),
  (trx, random) =>
    sql`
    insert into cwss_override (organization_id, vulnerability_id, factor, code, weight, reason)
    select organization_id, id, ${one(random, ['EC', 'IC'])}, 'Q', ${random(10) / 10}, 'Measured.' from vulnerability
    where id = ${one(random, vulnerabilities)}
    on conflict (organization_id, vulnerability_id, factor) do update set weight = excluded.weight`.execute(
      trx,
    ),
  (trx, random) =>
    sql`
    delete from cwss_override o using vulnerability v
    where v.id = o.vulnerability_id and o.vulnerability_id = any (${some(random, vulnerabilities)}::uuid[])`.execute(
      trx,
    ),
  async (trx, random) => {
    const vignetteId = one(random, vignettes);
    const known = await trx
      .selectFrom('vignette')
      .select('id')
      .where('id', '=', vignetteId)
      .executeTakeFirst();
    if (!known) return;
    await make.nextVersion(trx, vignetteId, scorecardOf(random(10)));
    await markStale(trx, { reason: 'vignette', vignetteId });
  },
  async (trx, random) => {
    if (random(4) > 0) return;
    const vignetteId = one(random, vignettes);
    await trx.deleteFrom('vignette').where('id', '=', vignetteId).execute();
    await markStale(trx, { reason: 'vignette-deleted', vignetteId });
    vignettes.push(await make.vignette(trx, `Vignette ${vignettes.length}`, scorecardOf(random(10))));
  },
];

/** Before a change there often is a current score of a vulnerability with a related asset. */
async function prepare(trx: OrganizationTransaction, random: Random): Promise<void> {
  if (random(3) === 0) return;
  await restoreAssets(trx, assets);
  const [id = ''] = vulnerabilities;
  await restoreRecords(trx, 'vulnerability', [id]);
  await addAssets(trx, { table: 'vulnerability', ids: [id], assets: [one(random, assets)] });
  await calculate(trx, id, vignettes.at(-1) ?? '');
}

it.each([1, 2, 3])(
  'scores whose inputs changed are stale with the reason after any sequence of changes, deletions, restores and calculations (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    for (let step = 0; step < 40; step += 1) {
      const action = actions[random(actions.length)];
      await inside((trx) => prepare(trx, random));
      await inside(async (trx) => action?.(trx, random));
      expect([step, await wrongMarks()]).toEqual([step, []]);
    }
  },
  30_000,
);

describe('a mark', () => {
  const [state, stale] = ['cwss_state', 'cwss_stale'] as const;
  const row = (id = vulnerabilities[0] ?? '') =>
    inside((trx) =>
      trx.selectFrom('vulnerability').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    );
  beforeEach(() => inside((trx) => calculate(trx, vulnerabilities[0] ?? '', vignettes[0] ?? '')));

  it('names each reason once, in the order of the changes, and changes no version of the vulnerability', async () => {
    const before = await row();
    await inside(async (trx) => {
      await sql`update vulnerability set cvss_vector = 'x', cwe = '{}' where id = ${before.id}`.execute(trx);
      await sql`update vulnerability set cwe = '{CWE-89}', cve_id = '' where id = ${before.id}`.execute(trx);
      await addAssets(trx, { table: 'vulnerability', ids: [before.id], assets });
    });
    expect(await row()).toMatchObject({
      [state]: 'stale',
      [stale]: ['cwe', 'cvss', 'cve', 'assets'],
      version: before.version,
      updated_at: before.updated_at,
    });
  });

  it.each<[string, (trx: OrganizationTransaction) => Promise<unknown>]>([
    ['the criticality of a related asset', (trx) => sql`update asset set criticality = 1`.execute(trx)],
    ['the deletion of a related asset', (trx) => deleteAssets(trx, { ids: assets, by: null })],
    ['a removed relation', (trx) => sql`delete from vulnerability_asset`.execute(trx)],
  ])('is set by %s', async (_name, change) => {
    const id = vulnerabilities[0] ?? '';
    await inside(async (trx) => {
      await addAssets(trx, { table: 'vulnerability', ids: [id], assets });
      await calculate(trx, id, vignettes[0] ?? '');
    });
    expect(await row()).toMatchObject({ [state]: 'current' });
    await inside(change);
    expect(await row()).toMatchObject({ [state]: 'stale', [stale]: ['assets'] });
  });

  it('is not set by a change that no score is calculated from, and never on a vulnerability without a score', async () => {
    const unscored = vulnerabilities[1] ?? '';
    await inside(async (trx) => {
      await sql`update vulnerability set name = 'Renamed', severity = 9, status = 'fixed', cwe = cwe`.execute(
        trx,
      );
      await sql`update asset set name = 'Renamed', confidentiality_level = 3`.execute(trx);
      await sql`update vulnerability set cwe = '{CWE-89}' where id = ${unscored}`.execute(trx);
    });
    expect(await row()).toMatchObject({ [state]: 'current', [stale]: [], cwss_inputs: 0 });
    expect(await row(unscored)).toMatchObject({ [state]: null, [stale]: [], cwss_inputs: 1 });
  });

  it('lists the factors of the analyst in the vulnerability', async () => {
    const id = vulnerabilities[0] ?? '';
    await inside(async (trx) => {
      for (const factor of ['IC', 'EC'])
        await sql`insert into cwss_override (organization_id, vulnerability_id, factor, code, weight, reason)
          values (${organizationId}, ${id}, ${factor}, 'N', 1, 'Known.')`.execute(trx);
    });
    expect(await row()).toMatchObject({ cwss_overrides: ['EC', 'IC'], [stale]: ['factors'] });
    await inside((trx) => sql`delete from cwss_override where factor = 'EC'`.execute(trx));
    expect(await row()).toMatchObject({ cwss_overrides: ['IC'] });
  });
});
