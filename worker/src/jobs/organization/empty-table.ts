import type { OrganizationTransaction } from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import type { OwnTable } from './tables.ts';

/** Rows that one statement deletes: few enough to be interrupted, and a content's chunks are a MiB each. */
const batchSize = 2000;

/** Which rows of a table are meant; `except` is the id of one that stays. */
export interface OwnRows {
  table: OwnTable;
  except?: string;
}

type KeyValues = string[];

const mine = ({ except }: OwnRows): RawBuilder<unknown> =>
  except === undefined
    ? sql`organization_id = current_organization()`
    : sql`organization_id = current_organization() and id <> ${except}`;

const columns = ({ key }: OwnTable) => sql.join(key.map(({ column }) => sql.ref(column)));
const values = ({ key }: OwnTable, keyValues: KeyValues) =>
  sql.join(key.map(({ type }, n) => sql`${keyValues[n]}::${sql.raw(type)}`));

export async function countRows(trx: OrganizationTransaction, rows: OwnRows): Promise<number> {
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(rows.table.name)} where ${mine(rows)}`.execute(trx);
  return counted.rows[0]?.n ?? 0;
}

/**
 * Along the primary key, whatever the statistics say: those of a moment when the table was empty let every batch pass
 * over the whole of it.
 */
const alongTheKey = (trx: OrganizationTransaction) =>
  sql`
    select set_config(name, 'off', true)
    from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) as setting (name)`.execute(trx);

/** The key of the row that ends a batch; undefined when what is left is less than one. */
async function endOfBatch(
  trx: OrganizationTransaction,
  rows: OwnRows,
  after: KeyValues | undefined,
): Promise<KeyValues | undefined> {
  const { table } = rows;
  const texts = sql.join(table.key.map(({ column }) => sql`${sql.ref(column)}::text`));
  const beyond = after ? sql`and (${columns(table)}) > (${values(table, after)})` : sql``;
  const found = await sql<{ keyValues: KeyValues }>`
    select array[${texts}] as "keyValues" from ${sql.table(table.name)} where ${mine(rows)} ${beyond}
    order by ${columns(table)} offset ${batchSize - 1} limit 1`.execute(trx);
  return found.rows[0]?.keyValues;
}

async function deleteBetween(
  trx: OrganizationTransaction,
  rows: OwnRows,
  { after, upTo }: { after: KeyValues | undefined; upTo: KeyValues | undefined },
): Promise<number> {
  const { table } = rows;
  const beyond = after ? sql`and (${columns(table)}) > (${values(table, after)})` : sql``;
  const within = upTo ? sql`and (${columns(table)}) <= (${values(table, upTo)})` : sql``;
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table.name)} where ${mine(rows)} ${beyond} ${within}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes whatever is there, in one statement. @returns how many rows */
export const emptyAtOnce = (trx: OrganizationTransaction, rows: OwnRows): Promise<number> =>
  deleteBetween(trx, rows, { after: undefined, upTo: undefined });

/**
 * Deletes a table's rows in the order of their keys, a transaction for each batch: a walk that begins where the last one
 * ended never passes over what it has deleted.
 */
export async function* emptyTable(
  inside: <T>(work: (trx: OrganizationTransaction) => Promise<T>) => Promise<T>,
  rows: OwnRows,
): AsyncGenerator<number> {
  if (rows.table.key.length === 0) return yield await inside((trx) => emptyAtOnce(trx, rows));
  let after: KeyValues | undefined;
  for (;;) {
    const { upTo, deleted } = await inside(async (trx) => {
      await alongTheKey(trx);
      const end = await endOfBatch(trx, rows, after);
      return { upTo: end, deleted: await deleteBetween(trx, rows, { after, upTo: end }) };
    });
    yield deleted;
    if (upTo === undefined) return;
    after = upTo;
  }
}
