import { type RawBuilder, sql } from 'kysely';

/** SQL of the size in bytes of these columns of a row; undefined without columns. */
export function longTexts(columns: readonly string[], row = 'r'): RawBuilder<number> | undefined {
  if (columns.length === 0) return undefined;
  const sizes = columns.map((column) => sql`coalesce(octet_length(${sql.ref(`${row}.${column}`)}), 0)`);
  return sql<number>`(${sql.join(sizes, sql` + `)})`;
}

/**
 * SQL: a text up to a number of characters, with an ellipsis when it is longer. PostgreSQL knows the size of a stored text
 * without reading it, and reads only the beginning of a long one.
 */
export function shortenedText(text: RawBuilder<unknown>, longest: number): RawBuilder<string> {
  const isLong = sql`octet_length(${text}) > ${sql.lit(longest)} and length(left(${text}, ${sql.lit(longest + 1)})) > ${sql.lit(longest)}`;
  return sql<string>`case when ${isLong} then left(${text}, ${sql.lit(longest)}) || '…' else ${text} end`;
}
