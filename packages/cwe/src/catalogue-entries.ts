import { formatCount } from '@riskboard/domain';
import { cweNotice } from './notice.ts';
import { CatalogueFault, type CatalogueContent, type CweEntry, type CweRelation } from './catalogue.ts';

/** MITRE's catalogue has about 1,450 entries. */
const mostEntries = 10_000;

/** Characters of all entries as JSON, which are stored; MITRE's have 3 million. */
const longestEntries = 12_000_000;

/** Characters of one entry in the file, with its markup; the longest of MITRE's has 180,000. */
export const longestEntry = 4_000_000;

/**
 * Added to the characters of each element and attribute of XML, and of each value of JSON: a file of short ones would need
 * seventy times its size in memory.
 */
export const nodeCost = 128;

/** Relations that a catalogue only states in one direction, and the one in the other direction. */
const inverse: Readonly<Record<string, string>> = { ChildOf: 'ParentOf', HasMember: 'MemberOf' };

const keyOf = ({ ID, Nature, View }: CweRelation): string => JSON.stringify([ID, Nature, View]);

/**
 * Returns a function that adds relations to entries, each once in each view. Its keys are kept, because a file may
 * relate all its entries to one.
 * @param grow is called with each one before it is added
 */
function relationAdder(
  grow: (relation: CweRelation) => void,
): (entry: CweEntry, relation: CweRelation) => void {
  const keys = new Map<CweEntry, Set<string>>();
  return (entry, relation) => {
    const { Weaknesses } = entry.data;
    const known = keys.get(entry) ?? new Set(Weaknesses.map(keyOf));
    keys.set(entry, known);
    const key = keyOf(relation);
    if (known.has(key)) return;
    grow(relation);
    known.add(key);
    Weaknesses.push(relation);
  };
}

interface CatalogueHead {
  version: string | undefined;
  date: string | undefined;
  notice?: string;
}

/** The entries of a catalogue that is read: too many or too long ones are refused before the rest of the file is read. */
export class CatalogueEntries {
  readonly #entries: CweEntry[] = [];
  #length = 0;

  /** @throws CatalogueFault for too many entries, and for too long ones */
  add(entry: CweEntry): void {
    if (this.#entries.length >= mostEntries)
      throw new CatalogueFault(`The catalogue has more than ${formatCount(mostEntries)} entries.`);
    const text = JSON.stringify(entry);
    this.#grow(text.length);
    // A copy: V8 keeps the part of the file that a text was cut from as long as the text.
    this.#entries.push(JSON.parse(text) as CweEntry);
  }

  /**
   * The catalogue, by rising number, with the relations to children and to what an entry is a member of.
   * @throws CatalogueFault without a weakness or a version, for a number that comes twice, and for too long entries
   */
  complete({ version, date, notice }: CatalogueHead): CatalogueContent {
    if (version === undefined || !/^\d{1,3}(?:\.\d{1,3}){1,3}$/u.test(version))
      throw new CatalogueFault(
        'The file names no version of the catalogue. Add ContentVersion, or name the file after it, as in cwec_v4.15.xml.',
      );
    if (!this.#entries.some(({ kind }) => kind === 'weakness'))
      throw new CatalogueFault('The file contains no weakness.');
    this.#addInverse();
    const day = date !== undefined && /^\d{4}-\d{2}-\d{2}$/u.test(date) ? date : null;
    return {
      version,
      date: day,
      notice: notice ?? cweNotice(day),
      entries: this.#entries.toSorted((a, b) => a.id - b.id),
    };
  }

  #addInverse(): void {
    const byId = new Map<string, CweEntry>();
    for (const entry of this.#entries) {
      if (byId.has(String(entry.id))) throw new CatalogueFault(`CWE-${entry.id} comes twice.`);
      byId.set(String(entry.id), entry);
    }
    const addRelation = relationAdder((relation) => this.#grow(JSON.stringify(relation).length));
    for (const { id, data } of this.#entries)
      for (const { ID, Nature, View } of data.Weaknesses) {
        const other = byId.get(ID);
        const back = inverse[Nature];
        if (other !== undefined && back !== undefined)
          addRelation(other, { ID: String(id), Nature: back, View });
      }
  }

  #grow(length: number): void {
    this.#length += length;
    if (this.#length > longestEntries)
      throw new CatalogueFault('The entries of the catalogue are longer than 12 MB.');
  }
}
