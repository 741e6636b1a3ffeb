import { type RawBuilder, sql } from 'kysely';

/** Characters outside of ASCII whose lower case contains one of ASCII: the Kelvin sign, and I with a dot above. */
const foldedToAscii: readonly (readonly [character: string, lower: RegExp])[] = [
  ['\u212A', /k/iu],
  ['\u0130', /i/iu],
];

/**
 * The patterns that together match in any case what a pattern of ILIKE contains. PostgreSQL compares lower case, where the
 * Greek Σ is ς at the end of a word and else σ, in some databases always σ. A word of the text may go on where the pattern ends.
 */
function sigmaSpellings(pattern: string): string[] {
  if (!/[Σσς]/u.test(pattern)) return [pattern];
  const medial = pattern.toLowerCase().replaceAll('ς', 'σ');
  const final = medial.replaceAll(/σ(?!\p{L})/gu, 'ς');
  const prefix = final.replace(/ς(?=\P{L}*$)/u, 'σ');
  // The trigram index has the lower case of each word alone, in which Σ before a dot is the end of a word.
  const capital = medial.replaceAll('σ', 'Σ');
  const spellings = [final, prefix, capital, pattern, medial];
  const lower = spellings.map((spelling) => spelling.toLowerCase());
  return spellings.filter((_, index) => lower.indexOf(lower[index] ?? '') === index);
}

/**
 * Whether a text contains a pattern in any case. ILIKE converts each text by the rules of all languages, which takes several
 * times as long as reading the row; a pattern of ASCII characters is compared by the rules of ASCII first, and again only where
 * a text contains a character that could match one of them.
 */
export function isLike(column: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> {
  if (/\P{ASCII}/u.test(pattern)) {
    const tests = sigmaSpellings(pattern).map((spelling) => sql`${column} ilike ${spelling}`);
    return sql`(${sql.join(tests, sql` or `)})`;
  }
  const characters = foldedToAscii
    .filter(([, lower]) => lower.test(pattern))
    .map(([character]) => `%${character}%`);
  const again = characters.map(
    (character) => sql` or ${column} collate "C" like ${character} and ${column} ilike ${pattern}`,
  );
  return sql`(${column} collate "C" ilike ${pattern}${sql.join(again, sql``)})`;
}

/** Whether one of these columns of the row `r` contains a pattern in any case. */
export const isAnyLike = (columns: readonly string[], pattern: string): RawBuilder<boolean> =>
  sql`(${sql.join(
    columns.map((column) => isLike(sql`r.${sql.ref(column)}`, pattern)),
    sql` or `,
  )})`;

/**
 * Selects, as `id`, at most `most` ids for each spelling of a pattern. @param finder a function of the database that searches
 * under a role that may use the trigram indexes (decision 0012)
 */
export function idsLike(
  finder: string,
  pattern: string,
  most: RawBuilder<unknown> | number | null,
): RawBuilder<unknown> {
  const spellings = sigmaSpellings(pattern);
  if (spellings.length === 1) return sql`select ${sql.ref(finder)}(${pattern}, ${most}) as id`;
  return sql`
    select distinct ${sql.ref(finder)}(spelling, ${most}) as id from unnest(${spellings}::text[]) spelling`;
}
