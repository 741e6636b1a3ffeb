import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/** Enough that statements are few, and so few that nobody minds holding them. */
const turnSize = 5000;

/**
 * The rows of a query in turns, so that who works through a million of them never holds more than a turn. What the
 * query finds is settled when the first turn is taken: the work of a turn moves nothing into or out of a later one.
 * A query that locks its rows locks those of a turn with the turn. One walk at a time in a transaction.
 */
export async function* turnsOf<Row>(
  trx: OrganizationTransaction,
  query: RawBuilder<Row>,
): AsyncGenerator<Row[], void, undefined> {
  // Every row is fetched: no plan is wanted that is quick with the first tenth.
  await sql`set local cursor_tuple_fraction = 1`.execute(trx);
  await sql`declare turns no scroll cursor for ${query}`.execute(trx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.raw(String(turnSize))} from turns`.execute(trx);
    if (rows.length > 0) yield rows;
    if (rows.length < turnSize) break;
  }
  await sql`close turns`.execute(trx);
}
