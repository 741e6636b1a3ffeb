import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from './new-id.ts';
import { type OpenDatabase, openClone } from './test/open.ts';
import { makeOrganization } from './test/organization.ts';
import { type OrganizationTransaction, withOrganization } from './with-organization.ts';
import { deleteRecordsInBatches } from './trash/delete-records.ts';
import { deleteAssetsInBatches } from './trash/delete-assets.ts';
import { restoreAssets } from './trash/restore-assets.ts';
import { restoreRecords } from './trash/restore-records.ts';
import { batchesOf } from './batches.ts';
import { updateRecords } from './records/update-many.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);

/** One more than two turns hold. */
const many = 10_001;
const all = { table: 'vulnerability', where: sql<boolean>`r.status = 'open'`, by: null } as const;

const makeVulnerabilities = () =>
  inside((trx) =>
    sql`insert into vulnerability (organization_id, id, name)
      select current_organization(), gen_random_uuid(), 'No. ' || n from generate_series(1, ${many}::int) n`.execute(
      trx,
    ),
  );

const counted = (what: string) =>
  inside(async (trx) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(what)}`.execute(trx);
    return rows[0]?.n;
  });

describe('turns', () => {
  it.each([
    [0, []],
    [4999, [4999]],
    [5000, [5000]],
    [many, [5000, 5000, 1]],
  ])('of %i rows are %j', async (rows, sizes) => {
    const seen: number[][] = [];
    await inside(async (trx) => {
      const query = sql<{ n: number }>`select n from generate_series(1, ${rows}::int) n order by n`;
      for await (const turn of batchesOf(trx, query)) seen.push(turn.map(({ n }) => n));
      // The next walk of the same transaction finds nothing in its way.
      let again = 0;
      for await (const turn of batchesOf(trx, query)) again += turn.length;
      expect(again).toBe(rows);
    });
    expect(seen.map((turn) => turn.length)).toEqual(sizes);
    expect(seen.flat()).toEqual(Array.from({ length: rows }, (_, n) => n + 1));
  });
});

describe('more records than one turn takes', () => {
  it('are each changed once, though the change takes them out of what was asked for', async () => {
    await makeVulnerabilities();
    const change = { columns: { status: 'fixed' }, addAssets: [], removeAssets: [] };
    const ids = new Set<string>();
    const sizes: number[] = [];
    const done = await inside((trx) =>
      updateRecords(trx, { ...all, change }, (turn, matched) => {
        for (const id of turn) ids.add(id);
        sizes.push(matched);
      }),
    );
    expect(done).toEqual({
      matched: many,
      changed: many,
      changes: { status: { from: 'open', to: 'fixed' } },
    });
    expect([ids.size, sizes]).toEqual([many, [5000, 10_000, many]]);
    expect(await counted(`vulnerability where version = 2 and status = 'fixed'`)).toBe(many);
  });

  it('go in turns into the bin, and back', async () => {
    await makeVulnerabilities();
    const gone: string[] = [];
    const sizes: number[] = [];
    await inside((trx) =>
      deleteRecordsInBatches(trx, all, (turn) => {
        gone.push(...turn.map(({ id }) => id));
        sizes.push(turn.length);
      }),
    );
    expect(sizes).toEqual([5000, 5000, 1]);
    expect([await counted('vulnerability'), await counted('deleted_record')]).toEqual([0, many]);
    expect(await inside((trx) => restoreRecords(trx, 'vulnerability', gone))).toHaveLength(many);
  });

  it('are left alone, all of them, when a turn is refused', async () => {
    await makeVulnerabilities();
    let turns = 0;
    const refused = inside((trx) =>
      deleteRecordsInBatches(trx, all, () => {
        turns += 1;
        if (turns === 2) throw new Error('cancelled');
      }),
    );
    await expect(refused).rejects.toThrow('cancelled');
    expect([await counted('vulnerability'), await counted('deleted_record')]).toEqual([many, 0]);
  });
});

describe('more assets than one turn takes', () => {
  /** Each hangs on the one before it. */
  async function chain(): Promise<void> {
    const project = newId();
    await inside(async (trx) => {
      await sql`insert into project (organization_id, id, name, start_date)
        values (current_organization(), ${project}, 'Harbour', now())`.execute(trx);
      await sql`insert into asset (organization_id, id, name, project_id, asset_type_id)
        select current_organization(), md5(${organizationId}::text || n)::uuid, 'No. ' || n, ${project}::uuid, 1
        from generate_series(1, ${many}::int) n`.execute(trx);
      await sql`insert into asset_relation (organization_id, asset_id, related_id)
        select current_organization(), md5(${organizationId}::text || n)::uuid, md5(${organizationId}::text || n + 1)::uuid
        from generate_series(1, ${many - 1}::int) n`.execute(trx);
    });
  }

  it('are kept with every relation, also with those that went in an earlier turn', async () => {
    await chain();
    const sizes: number[] = [];
    const gone: string[] = [];
    await inside((trx) =>
      deleteAssetsInBatches(trx, { where: sql`true`, by: null }, (turn) => {
        sizes.push(turn.length);
        gone.push(...turn.map(({ id }) => id));
      }),
    );
    expect(sizes).toEqual([5000, 5000, 1]);
    expect(await counted('asset')).toBe(0);
    const related = await Promise.all(
      ['children', 'parents'].map((key) => counted(`deleted_record where links -> '${key}' <> '[]'`)),
    );
    expect(related).toEqual([many - 1, many - 1]);
    // Brought back in two halves, the relations between them are there again.
    await inside((trx) => restoreAssets(trx, gone.slice(0, 7000)));
    await inside((trx) => restoreAssets(trx, gone.slice(7000)));
    expect(await counted('asset_relation')).toBe(many - 1);
  });
});
