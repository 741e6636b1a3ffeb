import { open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CweEntry } from './record.ts';

const require = createRequire(import.meta.url);

/** MITRE's catalogue in the package: XML converted to JSON, attributes under `attr` with the prefix @_. */
const file = require.resolve('cwe-sdk/raw/cwe-archive.json');

/** The catalogue's own attributes are at the end of the file. */
const tailBytes = 1024;

interface Attributed {
  attr: Record<string, string>;
}
/** One element is the element itself, several are a list; without an element it is absent or an empty text. */
type Some<T> = T | T[] | '' | undefined;
/** Text, or text broken up by markup. */
type Markup = string | { [element: string]: Some<Markup> } | null | undefined;

interface RawWeakness extends Attributed {
  Description: Markup;
  Likelihood_Of_Exploit?: string;
  Related_Weaknesses?: { Related_Weakness?: Some<Attributed> };
  Common_Consequences?: { Consequence?: Some<RawConsequence> };
}

interface RawConsequence {
  Scope?: Some<string>;
  Impact?: Some<string>;
  Note?: Markup;
}

interface RawCategory extends Attributed {
  Summary: Markup;
  Relationships?: { Has_Member?: Some<Attributed> };
}

interface Archive {
  Weakness_Catalog: {
    Weaknesses: { Weakness: RawWeakness[] };
    Categories: { Category: RawCategory[] };
  };
}

const list = <T>(some: Some<T>): T[] =>
  some === undefined || some === '' ? [] : Array.isArray(some) ? some : [some];

/** A text without markup and repeated whitespace. */
function plain(markup: Some<Markup>): string {
  if (markup === undefined || markup === null) return '';
  if (typeof markup === 'string') return markup.replaceAll(/\s+/gu, ' ').trim();
  const parts = Array.isArray(markup) ? markup : Object.values(markup);
  return parts.map(plain).filter(Boolean).join(' ');
}

/** Each relation once; the catalogue repeats them in each view. */
function relations(all: Attributed[], nature: (attr: Record<string, string>) => string) {
  const seen = new Map(
    all.map(({ attr }) => {
      const relation = { ID: attr['@_CWE_ID'] ?? '', Nature: nature(attr) };
      return [`${relation.Nature} ${relation.ID}`, relation];
    }),
  );
  return [...seen.values()];
}

const fromWeakness = (raw: RawWeakness): CweEntry => ({
  id: Number(raw.attr['@_ID']),
  data: {
    Name: raw.attr['@_Name'] ?? '',
    Abstraction: raw.attr['@_Abstraction'] ?? '',
    Structure: raw.attr['@_Structure'] ?? '',
    Status: raw.attr['@_Status'] ?? '',
    Description: plain(raw.Description),
    Likelihood: raw.Likelihood_Of_Exploit ?? '',
    Weaknesses: relations(list(raw.Related_Weaknesses?.Related_Weakness), (attr) => attr['@_Nature'] ?? ''),
    Consequences: list(raw.Common_Consequences?.Consequence).map(({ Scope, Impact, Note }) => ({
      Scope: list(Scope),
      Impact: list(Impact),
      Note: plain(Note),
    })),
  },
});

/** Older CVE records name categories such as CWE-310 where a weakness belongs. */
const fromCategory = (raw: RawCategory): CweEntry => ({
  id: Number(raw.attr['@_ID']),
  data: {
    Name: raw.attr['@_Name'] ?? '',
    Abstraction: 'Category',
    Structure: '',
    Status: raw.attr['@_Status'] ?? '',
    Description: plain(raw.Summary),
    Likelihood: '',
    Weaknesses: relations(list(raw.Relationships?.Has_Member), () => 'HasMember'),
    Consequences: [],
  },
});

/** The catalogue only has relations to parents; these are the relations to children. */
function addChildren(entries: CweEntry[]): void {
  const byId = new Map(entries.map((entry) => [String(entry.id), entry]));
  for (const { id, data } of entries) {
    for (const { ID, Nature } of data.Weaknesses) {
      if (Nature !== 'ChildOf') continue;
      byId.get(ID)?.data.Weaknesses.push({ ID: String(id), Nature: 'ParentOf' });
    }
  }
}

/**
 * The name and version of the catalogue, such as 'CWE 4.15', without reading all of it.
 * @throws when the file has no version
 */
export async function catalogueVersion(): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(tailBytes),
      position: Math.max(0, size - tailBytes),
    });
    const version = /"@_Version":"([\d.]+)"/u.exec(buffer.toString('utf8', 0, bytesRead))?.[1];
    if (version === undefined) throw new Error('The CWE catalogue has no version');
    return `CWE ${version}`;
  } finally {
    await handle.close();
  }
}

/** Every weakness and category, by rising id. Some 10 MB of JSON: read it only when it is needed. */
export async function readCatalogue(): Promise<CweEntry[]> {
  const { Weakness_Catalog: catalogue } = JSON.parse(await readFile(file, 'utf8')) as Archive;
  const weaknesses = catalogue.Weaknesses.Weakness.map(fromWeakness);
  addChildren(weaknesses);
  return [...weaknesses, ...catalogue.Categories.Category.map(fromCategory)].toSorted((a, b) => a.id - b.id);
}
