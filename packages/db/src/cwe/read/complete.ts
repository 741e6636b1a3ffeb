import { cweNotice } from '../notice.ts';
import { CatalogueFault, type CatalogueContent, type CweEntry, type CweRelation } from '../record.ts';

/** MITRE's catalogue has about 1,450 entries. */
export const mostEntries = 10_000;

/** Characters of all entries as JSON, which are stored; MITRE's have 3 million. */
const longestEntries = 12_000_000;

/** Relations that a catalogue only states in one direction, and the one in the other direction. */
const inverse: Readonly<Record<string, string>> = { ChildOf: 'ParentOf', HasMember: 'MemberOf' };

const keyOf = ({ ID, Nature, View }: CweRelation): string => JSON.stringify([ID, Nature, View]);

/**
 * Returns a function that adds relations to entries, each once in each view. Its keys are kept, because a file may
 * relate all its entries to one.
 */
function relationAdder(): (entry: CweEntry, relation: CweRelation) => void {
  const keys = new Map<CweEntry, Set<string>>();
  return (entry, relation) => {
    const { Weaknesses } = entry.data;
    const known = keys.get(entry) ?? new Set(Weaknesses.map(keyOf));
    keys.set(entry, known);
    const key = keyOf(relation);
    if (known.has(key)) return;
    known.add(key);
    Weaknesses.push(relation);
  };
}

/**
 * A catalogue of these entries, by rising number, with the relations to children and to what an entry is a member of.
 * @throws CatalogueFault without a weakness or a version, for a number that comes twice, and for too long entries
 */
export function completeCatalogue(
  { version, date, notice }: { version: string | undefined; date: string | undefined; notice?: string },
  entries: readonly CweEntry[],
): CatalogueContent {
  if (version === undefined || !/^\d{1,3}(?:\.\d{1,3}){1,3}$/u.test(version))
    throw new CatalogueFault(
      'The file names no version of the catalogue. Add ContentVersion, or name the file after it, as in cwec_v4.15.xml.',
    );
  if (!entries.some(({ kind }) => kind === 'weakness'))
    throw new CatalogueFault('The file contains no weakness.');
  const byId = new Map<string, CweEntry>();
  for (const entry of entries) {
    if (byId.has(String(entry.id))) throw new CatalogueFault(`CWE-${entry.id} comes twice.`);
    byId.set(String(entry.id), entry);
  }
  const addRelation = relationAdder();
  for (const { id, data } of entries)
    for (const { ID, Nature, View } of data.Weaknesses) {
      const other = byId.get(ID);
      const back = inverse[Nature];
      if (other !== undefined && back !== undefined)
        addRelation(other, { ID: String(id), Nature: back, View });
    }
  const length = entries.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
  if (length > longestEntries)
    throw new CatalogueFault('The entries of the catalogue are longer than 12 MB.');
  const day = date !== undefined && /^\d{4}-\d{2}-\d{2}$/u.test(date) ? date : null;
  return {
    version,
    date: day,
    notice: notice ?? cweNotice(day),
    entries: entries.toSorted((a, b) => a.id - b.id),
  };
}
