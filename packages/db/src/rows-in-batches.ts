import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from './with-organization.ts';

/** Rows in memory at once; larger batches save no measurable time. */
const batchSize = 5000;

/**
 * The rows of a query in batches, so that a change of a million rows holds one batch in memory. The result is fixed
 * when the first batch is read: writing one batch adds or removes nothing in a later one. A query that locks its rows
 * locks those of a batch with the batch. One iteration with a cursor at a time in a transaction.
 */
export async function* batchesOf<Row>(
  trx: OrganizationTransaction,
  query: RawBuilder<Row>,
  cursor = 'batches',
): AsyncGenerator<Row[], void, undefined> {
  // Every row is fetched, so a plan that returns the first tenth early is no gain.
  await sql`set local cursor_tuple_fraction = 1`.execute(trx);
  await sql`declare ${sql.id(cursor)} no scroll cursor for ${query}`.execute(trx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.raw(String(batchSize))} from ${sql.id(cursor)}`.execute(trx);
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) break;
  }
  await sql`close ${sql.id(cursor)}`.execute(trx);
}
