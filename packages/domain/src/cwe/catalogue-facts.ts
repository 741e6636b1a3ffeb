import { technicalImpactOf } from '../cwraf/impacts.ts';

/** The kinds of entries that share CWE's numbers; only weaknesses describe a vulnerability. */
export const cweKinds = ['weakness', 'category', 'view'] as const;
export type CweKind = (typeof cweKinds)[number];

/** What a score needs of an entry of the catalogue. */
export interface CatalogueEntry {
  readonly kind: CweKind;
  readonly name: string;
  readonly status: string;
  /** Of an exploit: High, Medium, Low or empty. */
  readonly likelihood: string;
  /** Impacts of its consequences, in CWE's words, each once. */
  readonly impacts: readonly string[];
  /** Numbers of its parents in view 1000 (Research Concepts). */
  readonly parents: readonly number[];
}

/** What a catalogue states about a weakness, for a score. */
export interface CatalogueFacts {
  readonly name: string;
  readonly likelihood: string;
  /** Impacts in CWE's words; empty when it has none that means a technical impact, and no ancestor has. */
  readonly impacts: readonly string[];
  /** The nearest ancestor whose impacts these are; the lowest number of several. Null when they are its own. */
  readonly inheritedFrom: number | null;
  /** Why it has no impacts, or where they come from; empty, or sentences. */
  readonly note: string;
}

type Entries = ReadonlyMap<number, CatalogueEntry>;

const isMapped = ({ impacts }: CatalogueEntry): boolean =>
  impacts.some((one) => technicalImpactOf(one) !== undefined);

/** The nearest ancestors with a mapped impact, by rising number. Each entry is visited once: relations may form a cycle. */
function nearestMapped(id: number, entries: Entries): number[] {
  const visited = new Set([id]);
  let level: readonly number[] = entries.get(id)?.parents ?? [];
  while (level.length > 0) {
    const next = level.filter((one) => !visited.has(one));
    for (const one of next) visited.add(one);
    const mapped = next.filter((one) => {
      const entry = entries.get(one);
      return entry !== undefined && isMapped(entry);
    });
    if (mapped.length > 0) return [...new Set(mapped)].toSorted((a, b) => a - b);
    level = next.flatMap((one) => entries.get(one)?.parents ?? []);
  }
  return [];
}

const listed = (ids: readonly number[]): string => {
  const labels = ids.map((id) => `CWE-${id}`);
  return labels.length < 2 ? (labels[0] ?? '') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
};

const withoutImpacts = (entry: CatalogueEntry, note: string): CatalogueFacts => ({
  name: entry.name,
  likelihood: entry.likelihood,
  impacts: [],
  inheritedFrom: null,
  note,
});

/**
 * What the catalogue states about a weakness. A weakness without an impact that means a technical impact has those of
 * its nearest ancestors in view 1000 that have one; of several at the same distance all impacts count.
 * @param version names the catalogue in the note about a number that it does not have, as in 'CWE 4.15'
 */
export function catalogueFacts(id: number, entries: Entries, version: string): CatalogueFacts {
  const entry = entries.get(id);
  if (entry === undefined) {
    const note = `The catalogue ${version} does not know CWE-${id}.`;
    return { name: '', likelihood: '', impacts: [], inheritedFrom: null, note };
  }
  if (entry.kind === 'category')
    return withoutImpacts(entry, `CWE-${id} is a category; MITRE prohibits mapping to categories.`);
  if (entry.kind === 'view')
    return withoutImpacts(entry, `CWE-${id} is a view; MITRE prohibits mapping to views.`);
  if (isMapped(entry))
    return {
      name: entry.name,
      likelihood: entry.likelihood,
      impacts: entry.impacts,
      inheritedFrom: null,
      note: '',
    };
  if (entry.status === 'Deprecated') return withoutImpacts(entry, `CWE-${id} is deprecated.`);
  const ancestors = nearestMapped(id, entries);
  const [first] = ancestors;
  if (first === undefined)
    return withoutImpacts(entry, `No consequence of CWE-${id} or its ancestors means a technical impact.`);
  const impacts = ancestors.flatMap((one) => entries.get(one)?.impacts ?? []);
  return {
    name: entry.name,
    likelihood: entry.likelihood,
    impacts: [...new Set(impacts)],
    inheritedFrom: first,
    note: `No consequence of CWE-${id} means a technical impact; the impacts are inherited from ${listed(ancestors)}.`,
  };
}
