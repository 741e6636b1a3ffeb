import { type RawBuilder, sql } from 'kysely';

/** Candidates for each term or kind of reason. */
export const mostOfKind = 200;
/** Rows whose texts are read without an index: an index of all descriptions would slow every import. */
const mostRead = sql.lit(50_000);
/** Characters of a text that are compared, as in the domain. */
export const textLength = 20_000;

/** Terms consist of letters, digits and marks, so they need no escape. */
const isSafe = /^[\p{L}\p{N}\p{M}]+$/u;

/** A LIKE pattern for a term, with anything between its tokens. */
export const patternOf = (term: readonly string[]): string => `%${term.join('%')}%`;

/** Whether a text has one of these terms, in any case; their tokens are separated as in the domain. */
export function hasAnyOf(
  text: RawBuilder<string>,
  terms: readonly (readonly string[])[],
): RawBuilder<boolean> {
  const patterns = terms
    .filter((term) => term.length > 0 && term.every((token) => isSafe.test(token)))
    .map((term) => term.join('[^[:alnum:]]{1,3}'));
  return patterns.length === 0 ? sql`false` : sql`${text} ~* ${patterns.join('|')}`;
}

/** Whether a row of the table is among the newest, whose texts are read. */
export const isNewest = (table: 'asset' | 'threat' | 'vulnerability'): RawBuilder<boolean> => sql`
  organization_id = current_organization() and created_at >= coalesce((
    select created_at from ${sql.table(table)} where organization_id = current_organization()
    order by created_at desc, id desc limit 1 offset ${mostRead}), '-infinity')`;
