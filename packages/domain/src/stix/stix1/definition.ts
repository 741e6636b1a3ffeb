import { namespaceRole, isCybox } from './namespace.ts';

const kinds = {
  Exploit_Target: 'ExploitTarget',
  TTP: 'TTP',
  Threat_Actor: 'ThreatActor',
  Campaign: 'Campaign',
  Indicator: 'Indicator',
  Incident: 'Incident',
  Course_Of_Action: 'CourseOfAction',
  Observable: 'Observable',
  Report: 'Report',
} as const;

/** The core constructs of STIX 1.x. */
export type ConstructKind = (typeof kinds)[keyof typeof kinds];

const byLocalName: ReadonlyMap<string, ConstructKind> = new Map(Object.entries(kinds));

/** `TTPType` and `TTPBaseType`; relationships have types of their own (`RelatedTTPType`). */
const byTypeName: ReadonlyMap<string, ConstructKind> = new Map(
  Object.values(kinds).flatMap((kind) => [
    [`${kind}Type`, kind],
    [`${kind}BaseType`, kind],
  ]),
);

const core = ['http://stix.mitre.org/stix-1', 'http://docs.oasis-open.org/cti/ns/stix/core-1'] as const;
const common = ['http://stix.mitre.org/common-1', 'http://docs.oasis-open.org/cti/ns/stix/common-1'] as const;

/** Namespaces in which the name of a construct is always a construct. */
const definers: ReadonlySet<string> = new Set([...core, ...common]);

interface Name {
  readonly uri: string;
  readonly local: string;
}

/** An element of a report, as far as its start tag shows it. */
export interface StartTag extends Name {
  readonly hasId: boolean;
  /** Its `xsi:type`, expanded. */
  readonly type: Name | undefined;
}

/**
 * Where an element is. In a package, a report or one of their lists every element with an id is a definition; inside a
 * construct the elements of STIX are its parts; markings and documents of other formats define nothing.
 */
export type Scope = 'list' | 'part' | 'foreign';

export interface Definition {
  /** The kind, or `{namespace}local` of an element that STIX does not know. */
  readonly type: string;
  readonly kind: ConstructKind | undefined;
  /** Without an id it is a relationship if its first child shows so: see `isRelationship`. */
  readonly mayBeRelationship: boolean;
}

/** The construct that an element of this name defines; undefined for all other elements. */
export function constructKind(uri: string, local: string): ConstructKind | undefined {
  const kind = byLocalName.get(local);
  if (kind === undefined || namespaceRole(uri) !== 'stix') return undefined;
  return isCybox(uri) && kind !== 'Observable' ? undefined : kind;
}

function kindOfType(type: Name | undefined): ConstructKind | undefined {
  return type !== undefined && namespaceRole(type.uri) === 'stix' ? byTypeName.get(type.local) : undefined;
}

/** Elements with an id that a package or a report contains, and that are neither constructs nor lists. */
const packages: ReadonlySet<string> = new Set(['STIX_Package', 'Package', 'Related_Package']);

const unknownDefinition = ({ uri, local }: Name): Definition => ({
  type: uri === '' ? local : `{${uri}}${local}`,
  kind: undefined,
  mayBeRelationship: true,
});

/**
 * What an element without an idref defines once it has an id or content; undefined when it defines nothing. A
 * definition is an element whose type is a core construct, regardless of the namespace of the element (mapping section
 * 2). An unknown element with an id, or with the name of a construct, is a definition too, so that the import report
 * lists it. A Related_Campaign may refer to its campaign by its names (CampaignReferenceType).
 * @param parent local name of the element around it
 */
export function definitionOf(
  tag: StartTag,
  scope: Scope,
  parent: string | undefined,
): Definition | undefined {
  const { uri, local, hasId } = tag;
  const typed = kindOfType(tag.type);
  if (parent === 'Related_Campaign' && !hasId && typed === undefined) return undefined;
  const named = constructKind(uri, local);
  if (named !== undefined) return { type: named, kind: named, mayBeRelationship: !definers.has(uri) };
  if (typed !== undefined) return { type: typed, kind: typed, mayBeRelationship: false };
  const role = namespaceRole(uri);
  if (role === 'stix')
    return hasId && scope === 'list' && !packages.has(local) ? unknownDefinition(tag) : undefined;
  if (role === 'format' || scope === 'foreign') return undefined;
  return hasId || byLocalName.has(local) ? unknownDefinition(tag) : undefined;
}

/** Elements of stixCommon in front of the construct that a relationship refers to (GenericRelationshipType). */
const relationshipParts: ReadonlySet<string> = new Set(['Confidence', 'Information_Source', 'Relationship']);

/**
 * Whether the first child shows that an element without an id is a relationship: `ttp:Exploit_Target` has the name of the
 * construct that it refers to.
 */
export const isRelationship = (local: string, firstChild: Name): boolean =>
  firstChild.local === local ||
  (relationshipParts.has(firstChild.local) && (common as readonly string[]).includes(firstChild.uri));

/** Parts of packages, reports and observables that are not lists of constructs. */
const parts: ReadonlySet<string> = new Set([
  'STIX_Header',
  'Header',
  'Kill_Chains',
  'Observable_Package_Source',
  'Pools',
  'Information_Source',
]);

/** The scope of the children of an element. */
export function scopeInside(tag: StartTag, scope: Scope, definition: Definition | undefined): Scope {
  const { uri, local } = tag;
  if (isStixPackage(uri, local)) return 'list';
  if (scope === 'foreign' || local === 'Handling' || namespaceRole(uri) === 'format') return 'foreign';
  if (scope === 'part' || parts.has(local)) return 'part';
  return definition === undefined || definition.kind === 'Report' ? 'list' : 'part';
}

/** Their schemas have `Handling` behind the elements that may contain other constructs. */
const markedLate: ReadonlySet<ConstructKind> = new Set(['Indicator', 'Incident', 'CourseOfAction']);

/** Whether a construct that yields no record may have a label, for the constructs inside it, that follows them. */
export const mayMarkContent = (kind: ConstructKind | undefined): boolean =>
  kind !== undefined && markedLate.has(kind);

const headers: ReadonlySet<string> = new Set(['STIX_Header', 'Header']);

/** Whether an element is the `Handling` of the header of a package or report, by the local name of its parent. */
export const isHeaderHandling = ({ uri, local }: Name, parent: string | undefined): boolean =>
  local === 'Handling' && parent !== undefined && headers.has(parent) && namespaceRole(uri) === 'stix';

export const isStixPackage = (uri: string, local: string): boolean =>
  local === 'STIX_Package' && (core as readonly string[]).includes(uri);
