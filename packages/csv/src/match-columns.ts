import { normalized } from '@riskboard/domain';

/** A field that a column may be matched with. */
export interface MatchableField {
  field: string;
  /** Its name, labels and synonyms. */
  names: readonly string[];
}

/** Letters and digits in lower case: case, spaces and punctuation do not distinguish headers. */
const folded = (text: string): string =>
  normalized(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/**
 * The field of each header, null for a header without one. A field is matched once: by the header that is equal to the
 * earliest of its names, the first of several.
 * @param fits whether the texts of a column can be values of a field
 */
export function matchColumns(
  headers: readonly string[],
  fields: readonly MatchableField[],
  fits: (field: string, column: number) => boolean = () => true,
): (string | null)[] {
  const matched: (string | null)[] = headers.map(() => null);
  const columns = headers.map(folded);
  const most = Math.max(0, ...fields.map(({ names }) => names.length));
  const taken = new Set<string>();
  // Every field by its first name, then by its second one: a synonym never takes the column of another field's name.
  for (let rank = 0; rank < most; rank += 1) {
    for (const { field, names } of fields) {
      const name = names[rank];
      if (name === undefined || taken.has(field)) continue;
      const column = columns.findIndex(
        (header, at) => matched[at] === null && header === folded(name) && fits(field, at),
      );
      if (column === -1) continue;
      matched[column] = field;
      taken.add(field);
    }
  }
  return matched;
}
