import { type RawBuilder, sql } from 'kysely';

/**
 * Ids to compare a column with, `where('id', '=', anyOf(ids))`: one parameter for any number of them. `in` has one for
 * each, of which a statement may have 65,535.
 */
export const anyOf = (ids: readonly string[]): RawBuilder<string> => sql<string>`any (${ids}::uuid[])`;
