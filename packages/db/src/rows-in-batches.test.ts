import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from './new-id.ts';
import { type OpenDatabase, openClone } from './testing/open.ts';
import { makeOrganization } from './testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from './with-organization.ts';
import { deleteRecordsInBatches } from './trash/delete-records.ts';
import { deleteAssetsInBatches } from './trash/delete-assets.ts';
import { restoreAssets } from './trash/restore-assets.ts';
import { restoreRecords } from './trash/restore-records.ts';
import { batchesOf } from './rows-in-batches.ts';
import { updateRecords } from './records/update-many.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  // An analyze while every asset is in the trash makes PostgreSQL look up ten thousand foreign keys by a slow plan.
  await withClient(database.clone.adminUrl, (admin) =>
    admin.query('alter table asset set (autovacuum_enabled = off)'),
  );
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);

/** One row more than two batches. */
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

describe('batches', () => {
  it.each([
    [0, []],
    [4999, [4999]],
    [5000, [5000]],
    [many, [5000, 5000, 1]],
  ])('of %i rows are %j', async (rows, sizes) => {
    const seen: number[][] = [];
    await inside(async (trx) => {
      const query = sql<{ n: number }>`select n from generate_series(1, ${rows}::int) n order by n`;
      for await (const batch of batchesOf(trx, query)) seen.push(batch.map(({ n }) => n));
      // A second iteration in the same transaction works.
      let again = 0;
      for await (const batch of batchesOf(trx, query)) again += batch.length;
      expect(again).toBe(rows);
    });
    expect(seen.map((batch) => batch.length)).toEqual(sizes);
    expect(seen.flat()).toEqual(Array.from({ length: rows }, (_, n) => n + 1));
  });
});

describe('more records than one batch holds', () => {
  it('are each changed once, although changed records no longer match the condition', async () => {
    await makeVulnerabilities();
    const change = { columns: { status: 'fixed' }, addAssets: [], removeAssets: [] };
    const ids = new Set<string>();
    const sizes: number[] = [];
    const done = await inside((trx) =>
      updateRecords(trx, { ...all, change }, (batch, matched) => {
        for (const id of batch) ids.add(id);
        sizes.push(matched);
      }),
    );
    expect(done).toEqual({
      matched: many,
      changed: many,
      changes: { status: { from: 'open', to: 'fixed' } },
      assets: [],
    });
    expect([ids.size, sizes]).toEqual([many, [5000, 10_000, many]]);
    expect(await counted(`vulnerability where version = 2 and status = 'fixed'`)).toBe(many);
  });

  it('are moved to the trash in batches, and restored', async () => {
    await makeVulnerabilities();
    const deleted: string[] = [];
    const sizes: number[] = [];
    await inside((trx) =>
      deleteRecordsInBatches(trx, all, (batch) => {
        deleted.push(...batch.map(({ id }) => id));
        sizes.push(batch.length);
      }),
    );
    expect(sizes).toEqual([5000, 5000, 1]);
    expect([await counted('vulnerability'), await counted('deleted_record')]).toEqual([0, many]);
    expect(await inside((trx) => restoreRecords(trx, 'vulnerability', deleted))).toHaveLength(many);
  });

  it('are all kept when a batch throws', async () => {
    await makeVulnerabilities();
    let batches = 0;
    const refused = inside((trx) =>
      deleteRecordsInBatches(trx, all, () => {
        batches += 1;
        if (batches === 2) throw new Error('cancelled');
      }),
    );
    await expect(refused).rejects.toThrow('cancelled');
    expect([await counted('vulnerability'), await counted('deleted_record')]).toEqual([many, 0]);
  });
});

describe('more assets than one batch holds', () => {
  /** Each asset is a child of the previous one. */
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

  it('are moved to the trash with every relation, also to assets of an earlier batch', async () => {
    await chain();
    const sizes: number[] = [];
    const deleted: string[] = [];
    await inside((trx) =>
      deleteAssetsInBatches(trx, { where: sql`true`, by: null }, (batch) => {
        sizes.push(batch.length);
        deleted.push(...batch.map(({ id }) => id));
      }),
    );
    expect(sizes).toEqual([5000, 5000, 1]);
    expect(await counted('asset')).toBe(0);
    const related = await Promise.all(
      ['children', 'parents'].map((key) => counted(`deleted_record where links -> '${key}' <> '[]'`)),
    );
    expect(related).toEqual([many - 1, many - 1]);
    // Restoring them in two halves also restores the relations between the halves.
    await inside((trx) => restoreAssets(trx, deleted.slice(0, 7000)));
    await inside((trx) => restoreAssets(trx, deleted.slice(7000)));
    expect(await counted('asset_relation')).toBe(many - 1);
  });
});
