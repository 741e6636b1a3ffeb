import { assetHealth, assetRiskScore } from '@riskboard/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { deleteAssets } from '../trash/delete-assets.ts';
import { deleteRecords } from '../testing/delete-records.ts';
import { restoreAssets } from '../trash/restore-assets.ts';
import { restoreRecords } from '../trash/restore-records.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { addAssets, removeAssets, setAssets } from './related-assets.ts';
import { setScoreContext } from './score-context.ts';
import { updateRecords } from './update-many.ts';

type Table = 'threat' | 'vulnerability';
const tables = ['threat', 'vulnerability'] as const;

let database: OpenDatabase;
let organizationId: string;
let projectId: string;
let assets: string[];
let records: Record<Table, string[]>;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
  projectId = newId();
  assets = Array.from({ length: 4 }, () => newId());
  records = { threat: Array.from({ length: 7 }, newId), vulnerability: Array.from({ length: 5 }, newId) };
  await inside(async (trx) => {
    await sql`insert into project (organization_id, id, name, start_date)
      values (${organizationId}, ${projectId}, 'Harbour', now())`.execute(trx);
    await sql`insert into asset (organization_id, id, project_id, name, asset_type_id)
      select ${organizationId}, id, ${projectId}, 'a', 1 from unnest(${assets}::uuid[]) id`.execute(trx);
    for (const table of tables)
      await sql`insert into ${sql.table(table)} (organization_id, id, name)
        select ${organizationId}, id, 'r' from unnest(${records[table]}::uuid[]) id`.execute(trx);
  });
});
afterAll(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, async (trx) => {
    await lockAssets(trx);
    return work(trx);
  });

interface Stored {
  id: string;
  version: number;
  criticality: number | null;
  confidentiality_level: number | null;
  integrity_level: number | null;
  availability_level: number | null;
  threat_count: number;
  vulnerability_count: number;
  risk_score: number;
  health: string;
  threats: number;
  vulnerabilities: number;
}

/** Every asset with its stored values and a recount of its relations. */
const stored = async (): Promise<Stored[]> =>
  (
    await inside((trx) =>
      sql<Stored>`
        select a.*, (select count(*)::int from threat_asset l where l.asset_id = a.id) as threats,
          (select count(*)::int from vulnerability_asset l where l.asset_id = a.id) as vulnerabilities
        from asset a order by id`.execute(trx),
    )
  ).rows;

interface Recorded {
  asset_id: string;
  score: number;
  cause: string;
  actor: string | null;
  threat_count: number;
  vulnerability_count: number;
}

const history = async (id: string): Promise<Recorded[]> =>
  (
    await inside((trx) =>
      sql<Recorded>`select * from asset_score where asset_id = ${id} order by at`.execute(trx),
    )
  ).rows;

/** Assets whose stored values differ from the recount, the domain or the last recorded score. */
async function differences(): Promise<object[]> {
  const found: object[] = [];
  for (const row of await stored()) {
    const counts = { threats: row.threats, vulnerabilities: row.vulnerabilities };
    const score = assetRiskScore({
      criticality: row.criticality,
      confidentiality: row.confidentiality_level,
      integrity: row.integrity_level,
      availability: row.availability_level,
      ...counts,
    });
    const recorded = (await history(row.id)).at(-1)?.score;
    const now = [row.threat_count, row.vulnerability_count, row.risk_score, row.health, recorded];
    const expected = [counts.threats, counts.vulnerabilities, score, assetHealth(counts), score];
    if (now.join() !== expected.join()) found.push({ now, expected });
  }
  return found;
}

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
const some = (random: Random, of: readonly string[]): string[] => of.filter(() => random(3) === 0);
const one = (random: Random, of: readonly string[]): string => of[random(of.length)] ?? '';
const table = (random: Random): Table => (random(2) === 0 ? 'threat' : 'vulnerability');

/** What users and jobs do to assets and their relations. */
const actions: ((trx: OrganizationTransaction, random: Random) => Promise<unknown>)[] = [
  (trx, random) => {
    const kind = table(random);
    return setAssets(trx, { table: kind, id: one(random, records[kind]), assets: some(random, assets) });
  },
  async (trx, random) => {
    const kind = table(random);
    const change = { columns: {}, addAssets: some(random, assets), removeAssets: some(random, assets) };
    const where = sql<boolean>`r.id = any (${some(random, records[kind])}::uuid[])`;
    await updateRecords(trx, { table: kind, where, change, by: null });
  },
  (trx, random) => {
    const kind = table(random);
    const where = sql<boolean>`r.id = any (${some(random, records[kind])}::uuid[])`;
    return deleteRecords(trx, { table: kind, where, by: null });
  },
  (trx, random) => {
    const kind = table(random);
    return restoreRecords(trx, kind, records[kind]);
  },
  (trx, random) => deleteAssets(trx, { ids: some(random, assets), by: null }),
  (trx) => restoreAssets(trx, assets),
  (trx, random) =>
    sql`update asset set criticality = ${1 + random(5)}, integrity_level = ${1 + random(4)}
      where id = ${one(random, assets)}`.execute(trx),
];

/** Errors of relations to a record or an asset that another transaction has deleted. */
const isMissingRecord = (error: unknown): boolean => (error as { code?: string }).code === '23503';

describe('stored counts, risk score and health of assets', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'equal a recount and the domain after concurrent random edits, relations, deletions and restores (seed %i)',
    async (seed) => {
      const random = randomFrom(seed);
      for (let round = 0; round < 5; round += 1) {
        const chosen = Array.from({ length: 5 }, () => actions[random(actions.length)]);
        await Promise.all(
          chosen.map((act) =>
            inside((trx) => act?.(trx, random) ?? Promise.resolve()).catch((error: unknown) => {
              if (!isMissingRecord(error)) throw error;
            }),
          ),
        );
        expect(await differences()).toEqual([]);
      }
    },
  );

  it('change with related records without a new version of the asset', async () => {
    const [asset] = assets;
    const before = (await stored()).find(({ id }) => id === asset);
    await inside((trx) => addAssets(trx, { table: 'threat', ids: records.threat, assets: [asset ?? ''] }));
    const after = (await stored()).find(({ id }) => id === asset);
    expect(after).toMatchObject({ threat_count: 7, health: 'Critical', risk_score: 1.2 });
    expect(after?.version).toBe(before?.version);
  });

  it('follow the deletion of many records in one statement, by the cascade of foreign keys', async () => {
    for (const kind of tables)
      await inside((trx) => addAssets(trx, { table: kind, ids: records[kind], assets }));
    await inside((trx) => sql`delete from threat`.execute(trx));
    await inside((trx) => sql`delete from vulnerability where id = ${records.vulnerability[0]}`.execute(trx));
    expect((await stored()).map((row) => [row.threat_count, row.vulnerability_count])).toEqual(
      assets.map(() => [0, 4]),
    );
  });

  it('of a restored asset come from its relations, not from the trash', async () => {
    const [asset = ''] = assets;
    await inside((trx) => addAssets(trx, { table: 'threat', ids: records.threat, assets: [asset] }));
    await inside((trx) => deleteAssets(trx, { ids: [asset], by: null }));
    await inside((trx) => sql`delete from threat where id = ${records.threat[0]}`.execute(trx));
    await inside((trx) => restoreAssets(trx, [asset]));
    expect((await stored()).find(({ id }) => id === asset)).toMatchObject({ threat_count: 6 });
  });
});

describe('two transactions that relate the same assets in opposite order', () => {
  it('follow each other instead of ending in a deadlock', async () => {
    const [first = '', second = ''] = assets;
    const relate = (kind: Table, order: string[]) =>
      withOrganization(database, organizationId, async (trx) => {
        await lockAssets(trx);
        for (const asset of order) {
          await addAssets(trx, { table: kind, ids: records[kind], assets: [asset] });
          await sql`select pg_sleep(0.01)`.execute(trx);
        }
      });
    await Promise.all([relate('threat', [first, second]), relate('vulnerability', [second, first])]);
    const rows = (await stored()).filter(({ id }) => [first, second].includes(id));
    expect(rows.map((row) => [row.threat_count, row.vulnerability_count])).toEqual([
      [7, 5],
      [7, 5],
    ]);
  });
});

describe('the score history of an asset', () => {
  it('has one row for each change with its cause and actor, and none for other changes', async () => {
    const [id = ''] = assets;
    const [by, other] = [newId(), newId()];
    const edit = (set: string) =>
      inside((trx) =>
        sql`update asset set ${sql.raw(set)}, updated_by = ${other} where id = ${id}`.execute(trx),
      );
    const move = (change: typeof addAssets, kind: Table) =>
      inside(async (trx) => {
        await setScoreContext(trx, { by });
        await change(trx, { table: kind, ids: records[kind], assets: [id] });
      });
    await edit(`criticality = 3`);
    await edit(`description = 'new'`);
    await move(addAssets, 'threat');
    await move(addAssets, 'vulnerability');
    await move(removeAssets, 'vulnerability');
    await move(removeAssets, 'threat');
    expect((await history(id)).map(({ cause, actor, score }) => [cause, actor, score])).toEqual([
      ['created', null, 0],
      ['levels', other, 2],
      ['threat-related', by, 3.2],
      ['vulnerability-related', by, 4.3],
      ['vulnerability-unrelated', by, 3.2],
      ['threat-unrelated', by, 2],
    ]);
  });

  it('keeps its rows when the asset is deleted, and a restored asset with its relations adds one', async () => {
    const [id = ''] = assets;
    const by = newId();
    await inside((trx) => addAssets(trx, { table: 'threat', ids: records.threat, assets: [id] }));
    await inside((trx) => deleteAssets(trx, { ids: [id], by }));
    await inside((trx) => restoreAssets(trx, [id], by));
    expect((await history(id)).map(({ cause, actor, score }) => [cause, actor, score])).toEqual([
      ['created', null, 0],
      ['threat-related', null, 1.2],
      ['restored', by, 1.2],
    ]);
  });

  it('names an import as the cause for new and for changed assets', async () => {
    const [id = ''] = assets;
    const by = newId();
    const added = newId();
    await inside(async (trx) => {
      await setScoreContext(trx, { cause: 'imported', by });
      await sql`insert into asset (organization_id, id, project_id, name, asset_type_id, criticality)
        values (${organizationId}, ${added}, ${projectId}, 'n', 1, 2)`.execute(trx);
      await sql`update asset set criticality = 5 where id = ${id}`.execute(trx);
    });
    const last = async (asset: string) => (await history(asset)).at(-1);
    expect(await last(added)).toMatchObject({ cause: 'imported', actor: by, score: 1.3 });
    expect(await last(id)).toMatchObject({ cause: 'imported', score: 3.3 });
  });

  it('orders the rows of concurrent transactions as they were committed', async () => {
    const [id = ''] = assets;
    const levels = Array.from({ length: 8 }, (_, n) => 1 + (n % 5));
    await Promise.all(
      levels.map((level) =>
        inside((trx) => sql`update asset set criticality = ${level} where id = ${id}`.execute(trx)),
      ),
    );
    const [last, row] = [(await history(id)).at(-1), (await stored()).find((asset) => asset.id === id)];
    expect(last?.score).toBe(row?.risk_score);
  });
});
