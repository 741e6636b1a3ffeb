import { type RawBuilder, sql } from 'kysely';

/** SQL of the size in bytes of these columns of a row; undefined without columns. */
export function longTexts(columns: readonly string[], row = 'r'): RawBuilder<number> | undefined {
  if (columns.length === 0) return undefined;
  const sizes = columns.map((column) => sql`coalesce(octet_length(${sql.ref(`${row}.${column}`)}), 0)`);
  return sql<number>`(${sql.join(sizes, sql` + `)})`;
}

/**
 * Bytes that a related asset adds to the size of a row. Names have at most 500 characters and mostly fewer than 100; to
 * read their own sizes would look up every asset once more before each part.
 */
const bytesOfName = 200;

/** SQL of the size in bytes of the names of the assets that a row is related to, by their number. */
export function relatedNamesBytes(
  table: 'asset' | 'threat' | 'vulnerability',
  row = 'r',
): RawBuilder<number> {
  const links = table === 'asset' ? 'asset_relation' : `${table}_asset`;
  const count =
    table === 'vulnerability'
      ? sql`${sql.ref(`${row}.asset_count`)}`
      : sql`(select count(*) from ${sql.table(links)} link
          where link.organization_id = current_organization() and link.${sql.ref(`${table}_id`)} = ${sql.ref(`${row}.id`)})`;
  return sql<number>`(least(${count}, 1000000) * ${sql.lit(bytesOfName)})::int`;
}

/**
 * SQL: a text up to a number of characters, with an ellipsis when it is longer. PostgreSQL knows the size of a stored text
 * without reading it, and reads only the beginning of a long one.
 */
export function shortenedText(text: RawBuilder<unknown>, longest: number): RawBuilder<string> {
  const isLong = sql`octet_length(${text}) > ${sql.lit(longest)} and length(left(${text}, ${sql.lit(longest + 1)})) > ${sql.lit(longest)}`;
  return sql<string>`case when ${isLong} then left(${text}, ${sql.lit(longest)}) || '…' else ${text} end`;
}
