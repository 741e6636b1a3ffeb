import type { OrganizationTransaction } from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import type { OwnTable } from './tables.ts';

/** Rows per statement: few, so that the deletion can be interrupted; a chunk of a file's content has 1 MiB. */
const batchSize = 2000;

/** The organization's rows of a table; `except` is the id of one that is kept. */
export interface OwnRows {
  table: OwnTable;
  except?: string;
}

/** The values of a row's primary key. */
type RowKey = string[];

const ownRows = ({ except }: OwnRows): RawBuilder<unknown> =>
  except === undefined
    ? sql`organization_id = current_organization()`
    : sql`organization_id = current_organization() and id <> ${except}`;

const columns = ({ key }: OwnTable) => sql.join(key.map(({ column }) => sql.ref(column)));
const values = ({ key }: OwnTable, row: RowKey) =>
  sql.join(key.map(({ type }, n) => sql`${row[n]}::${sql.raw(type)}`));

export async function countRows(trx: OrganizationTransaction, rows: OwnRows): Promise<number> {
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(rows.table.name)} where ${ownRows(rows)}`.execute(trx);
  return counted.rows[0]?.n ?? 0;
}

/**
 * Forces an index scan of the primary key. With statistics from a time when the table was empty, the planner would read
 * the whole table for every batch.
 */
const forceKeyScan = (trx: OrganizationTransaction) =>
  sql`
    select set_config(name, 'off', true)
    from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) as setting (name)`.execute(trx);

/** Deleted relations do not change the counts and scores of assets that are about to be deleted (migration 0020). */
const stopCounting = (trx: OrganizationTransaction) =>
  sql`select set_config('app.deleting_organization', 'on', true)`.execute(trx);

/** The key of the last row of a batch; undefined when fewer rows are left. */
async function endOfBatch(
  trx: OrganizationTransaction,
  rows: OwnRows,
  after: RowKey | undefined,
): Promise<RowKey | undefined> {
  const { table } = rows;
  const texts = sql.join(table.key.map(({ column }) => sql`${sql.ref(column)}::text`));
  const beyond = after ? sql`and (${columns(table)}) > (${values(table, after)})` : sql``;
  const found = await sql<{ key: RowKey }>`
    select array[${texts}] as key from ${sql.table(table.name)} where ${ownRows(rows)} ${beyond}
    order by ${columns(table)} offset ${batchSize - 1} limit 1`.execute(trx);
  return found.rows[0]?.key;
}

async function deleteBetween(
  trx: OrganizationTransaction,
  rows: OwnRows,
  { after, upTo }: { after: RowKey | undefined; upTo: RowKey | undefined },
): Promise<number> {
  const { table } = rows;
  const beyond = after ? sql`and (${columns(table)}) > (${values(table, after)})` : sql``;
  const within = upTo ? sql`and (${columns(table)}) <= (${values(table, upTo)})` : sql``;
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table.name)} where ${ownRows(rows)} ${beyond} ${within}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes all rows in one statement. @returns how many */
export async function emptyAtOnce(trx: OrganizationTransaction, rows: OwnRows): Promise<number> {
  await stopCounting(trx);
  return deleteBetween(trx, rows, { after: undefined, upTo: undefined });
}

/**
 * Deletes a table's rows in the order of their keys, one transaction per batch. Each batch starts after the last deleted
 * key, so that it does not scan dead rows. Yields the number of rows of each batch.
 */
export async function* emptyTable(
  inside: <T>(work: (trx: OrganizationTransaction) => Promise<T>) => Promise<T>,
  rows: OwnRows,
): AsyncGenerator<number> {
  if (rows.table.key.length === 0) return yield await inside((trx) => emptyAtOnce(trx, rows));
  let after: RowKey | undefined;
  for (;;) {
    const { upTo, deleted } = await inside(async (trx) => {
      await forceKeyScan(trx);
      await stopCounting(trx);
      const end = await endOfBatch(trx, rows, after);
      return { upTo: end, deleted: await deleteBetween(trx, rows, { after, upTo: end }) };
    });
    yield deleted;
    if (upTo === undefined) return;
    after = upTo;
  }
}
