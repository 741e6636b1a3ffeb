/** An element of a STIX 1.x construct, as the reader builds it for the mappers. */
export interface XmlElement {
  /** Namespace URI; prefixes are never compared. */
  readonly uri: string;
  readonly local: string;
  /** By local name; attributes with a namespace (xsi:type) are left out. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Character data directly inside, CDATA included. */
  readonly text: string;
  /** `id` and `idref` are QNames: expanded to `{namespace}local`, or as written when the prefix is not bound. */
  readonly id: string | undefined;
  readonly idref: string | undefined;
}

export const constructKinds = [
  'ExploitTarget',
  'TTP',
  'ThreatActor',
  'Campaign',
  'Indicator',
  'Incident',
  'CourseOfAction',
  'Observable',
  'Report',
] as const;

export type ConstructKind = (typeof constructKinds)[number];

const byLocalName: ReadonlyMap<string, ConstructKind> = new Map([
  ['Exploit_Target', 'ExploitTarget'],
  ['TTP', 'TTP'],
  ['Threat_Actor', 'ThreatActor'],
  ['Campaign', 'Campaign'],
  ['Indicator', 'Indicator'],
  ['Incident', 'Incident'],
  ['Course_Of_Action', 'CourseOfAction'],
  ['Observable', 'Observable'],
  ['Report', 'Report'],
]);

const stixCore = ['http://stix.mitre.org/stix-1', 'http://docs.oasis-open.org/cti/ns/stix/core-1'] as const;
const stixCommon = [
  'http://stix.mitre.org/common-1',
  'http://docs.oasis-open.org/cti/ns/stix/common-1',
] as const;
const cyboxCore = [
  'http://cybox.mitre.org/cybox-2',
  'http://docs.oasis-open.org/cti/ns/cybox/core-2',
] as const;
const indicator = [
  'http://stix.mitre.org/Indicator-2',
  'http://docs.oasis-open.org/cti/ns/stix/indicator-1',
] as const;

const definers: ReadonlySet<string> = new Set([...stixCore, ...stixCommon]);
const observableDefiners: ReadonlySet<string> = new Set([...stixCommon, ...cyboxCore, ...indicator]);

/**
 * The construct that an element defines; undefined for all other elements. Relationship wrappers have the same local
 * names in another namespace (`ttp:Exploit_Target`, `incident:Threat_Actor`) and define nothing (mapping section 2).
 */
export function constructKind(uri: string, local: string): ConstructKind | undefined {
  const kind = byLocalName.get(local);
  if (kind === undefined) return undefined;
  const namespaces = kind === 'Observable' ? observableDefiners : definers;
  return namespaces.has(uri) ? kind : undefined;
}

export const isStixPackage = (uri: string, local: string): boolean =>
  local === 'STIX_Package' && (stixCore as readonly string[]).includes(uri);

/** The descendants along a path of local names; namespaces are ignored because 1.1 and 1.2.1 differ in them. */
export function childrenOf(element: XmlElement, ...path: readonly string[]): XmlElement[] {
  let found: readonly XmlElement[] = [element];
  for (const local of path) {
    found = found.flatMap(({ children }) => children.filter((child) => child.local === local));
  }
  return [...found];
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The texts along a path, with whitespace collapsed: pretty-printing may have added line breaks. */
export function textsIn(element: XmlElement, ...path: readonly string[]): string[] {
  return childrenOf(element, ...path)
    .map(({ text }) => collapsed(text))
    .filter((text) => text !== '');
}

/** The first text along a path, with whitespace collapsed. */
export const textIn = (element: XmlElement, ...path: readonly string[]): string | undefined =>
  textsIn(element, ...path)[0];

/** Repeated descriptions in the order of their `ordinality`, as paragraphs; line breaks are kept. */
function paragraphs(element: XmlElement, local: string): string | undefined {
  const ordinality = (child: XmlElement): number => Number(child.attributes.get('ordinality') ?? 0) || 0;
  const texts = childrenOf(element, local)
    .toSorted((a, b) => ordinality(a) - ordinality(b))
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** `Description`, which may repeat, else `Short_Description`. */
export const descriptionIn = (element: XmlElement): string | undefined =>
  paragraphs(element, 'Description') ?? paragraphs(element, 'Short_Description');
