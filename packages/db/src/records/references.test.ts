import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeFile, makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';

let database: OpenDatabase;
let organizationId: string;
let asset: string;
let fileOfTest: string;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  organizationId = await makeOrganization(database);
  asset = await inside(addAsset);
});
afterAll(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>, of = organizationId): Promise<T> =>
  withOrganization(database, of, work);

async function addAsset(trx: OrganizationTransaction): Promise<string> {
  const [project, id] = [newId(), newId()];
  const common = { organization_id: organizationId, name: 'Harbour' };
  await trx
    .insertInto('project')
    .values({ ...common, id: project, start_date: '2026-01-01' })
    .execute();
  await trx
    .insertInto('asset')
    .values({ ...common, id, project_id: project, asset_type_id: 1 })
    .execute();
  return id;
}

const tables = ['vulnerability', 'threat'] as const;
type Table = (typeof tables)[number];

/** A report with one record, which asserts a vulnerability or threat. @returns the ids of the report and of that row */
async function assertedBy(table: Table): Promise<{ fileId: string; id: string }> {
  const { fileId } = await makeFile(database, organizationId, { name: newId(), keys: [newId()], table });
  const [row] = await inside(linksOf(table, fileId));
  return { fileId, id: row?.link ?? '' };
}

const linksOf = (table: Table, fileId: string) => async (trx: OrganizationTransaction) =>
  (
    await sql<{ link: string | null }>`
      select ${sql.ref(`${table}_id`)} as link from report_record where file_id = ${fileId}`.execute(trx)
  ).rows;
const link = (table: Table, fileId: string, id: string | null) => (trx: OrganizationTransaction) =>
  sql`update report_record set ${sql.ref(`${table}_id`)} = ${id} where file_id = ${fileId}`.execute(trx);
const relate = (table: Table, id: string) => (trx: OrganizationTransaction) =>
  sql`
    insert into ${sql.table(`${table}_asset`)} (organization_id, ${sql.ref(`${table}_id`)}, asset_id)
    values (current_organization(), ${id}, ${asset})`.execute(trx);
const remove = (table: Table, id: string) => (trx: OrganizationTransaction) =>
  sql`delete from ${sql.table(table)} where id = ${id}`.execute(trx);
const relations = (table: Table) => async (trx: OrganizationTransaction) =>
  (await sql`select from ${sql.table(`${table}_asset`)}`.execute(trx)).rows.length;

/** Runs `second` while the transaction of `first` is open, and commits that when `second` waits for a lock. */
async function whileOpen(
  first: (trx: OrganizationTransaction) => Promise<unknown>,
  second: (trx: OrganizationTransaction) => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>> {
  const isOpen = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const one = inside(async (trx) => {
    await first(trx);
    isOpen.resolve();
    await end.promise;
  });
  await isOpen.promise;
  const waiting = Promise.withResolvers<number>();
  const other = inside(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    waiting.resolve(rows[0]?.pid ?? 0);
    return second(trx);
  });
  const settled = Promise.allSettled([other]);
  const pid = await waiting.promise;
  await expect
    .poll(async () => {
      const { rows } = await sql<{ blockers: number }>`
        select cardinality(pg_blocking_pids(${pid})) as blockers`.execute(database.system);
      return rows[0]?.blockers;
    })
    .toBe(1);
  end.resolve();
  await one;
  const [result] = await settled;
  return result;
}

const isForeignKey = { code: '23503' };

describe.each(tables)('references to a %s', (table) => {
  it('are refused when it does not exist, or belongs to another organization', async () => {
    const { fileId } = await assertedBy(table);
    const own = organizationId;
    organizationId = await makeOrganization(database);
    const { id: theirs } = await assertedBy(table);
    organizationId = own;
    for (const id of [newId(), theirs]) {
      await expect(inside(link(table, fileId, id))).rejects.toMatchObject(isForeignKey);
      await expect(inside(relate(table, id))).rejects.toMatchObject(isForeignKey);
    }
  });

  it('are removed with it, those of a report become empty', async () => {
    const [deleted, kept] = [await assertedBy(table), await assertedBy(table)];
    for (const { id } of [deleted, kept]) await inside(relate(table, id));
    await inside(remove(table, deleted.id));
    expect(await inside(linksOf(table, deleted.fileId))).toEqual([{ link: null }]);
    expect(await inside(linksOf(table, kept.fileId))).toEqual([{ link: kept.id }]);
    expect(await inside(relations(table))).toBe(1);
  });

  it('of a transaction that is open are removed by a deletion, which waits for it', async () => {
    const [{ id }, { fileId }] = [await assertedBy(table), await assertedBy(table)];
    const both = async (trx: OrganizationTransaction) => {
      await relate(table, id)(trx);
      await link(table, fileId, id)(trx);
    };
    expect(await whileOpen(both, remove(table, id))).toMatchObject({ status: 'fulfilled' });
    expect(await inside(linksOf(table, fileId))).toEqual([{ link: null }]);
    expect(await inside(relations(table))).toBe(0);
  });

  it.each([
    ['relation', relate],
    ['report', (of: Table, id: string) => (trx: OrganizationTransaction) => link(of, fileOfTest, id)(trx)],
  ])('are refused when the transaction that they wait for deletes it (%s)', async (_name, refer) => {
    const { id } = await assertedBy(table);
    ({ fileId: fileOfTest } = await assertedBy(table));
    const result = await whileOpen(remove(table, id), refer(table, id));
    expect(result).toMatchObject({ status: 'rejected', reason: isForeignKey });
  });

  it('that move to another row of a report lock it again', async () => {
    const [from, to] = [await assertedBy(table), await assertedBy(table)];
    const move = (trx: OrganizationTransaction) =>
      sql`
        update report_record set ${sql.ref(`${table}_id`)} = case file_id when ${to.fileId}::uuid then ${from.id}::uuid end
        where file_id in (${from.fileId}, ${to.fileId})`.execute(trx);
    expect(await whileOpen(move, remove(table, from.id))).toMatchObject({ status: 'fulfilled' });
    expect(await inside(linksOf(table, to.fileId))).toEqual([{ link: null }]);
  });

  it('keep its key from changing', async () => {
    const { id } = await assertedBy(table);
    const change = inside((trx) =>
      sql`update ${sql.table(table)} set id = ${newId()} where id = ${id}`.execute(trx),
    );
    await expect(change).rejects.toMatchObject(isForeignKey);
  });
});
