import { cleanText } from '../clean-text.ts';

/** Characters of a version that is not known; known ones have three. */
const longestVersion = 20;

/** Maximum number of versions stored for a file; eight exist. */
const mostVersions = 8;

/** The text of a version as it is stored; null when it is blank. */
export function statedVersion(text: string): string | null {
  return text.trim() === '' ? null : cleanText(text.slice(0, longestVersion).toWellFormed());
}

/**
 * Adds a version to those of a file; null adds nothing. A file can state any number of versions, so only the first in their
 * order are kept: all that are stored, and one more, so that one that is not known is always among them.
 */
export function addVersion(versions: Set<string>, version: string | null): void {
  if (version === null) return;
  versions.add(version);
  const last = versions.size > mostVersions + 1 ? [...versions].toSorted().at(-1) : undefined;
  if (last !== undefined) versions.delete(last);
}

/** The versions of objects that decide the version of their list. */
const decisiveVersions: ReadonlySet<string> = new Set(['2.0', '2.1']);

/** Adds the version that an object states to those of its list; others than the decisive ones need not be kept. */
export function addObjectVersion(versions: Set<string>, version: string | null | undefined): void {
  if (typeof version === 'string' && decisiveVersions.has(version)) versions.add(version);
}

/** The facts that determine the STIX version of a bundle, an envelope or a single object. */
export interface VersionFacts {
  type: string | undefined;
  /** Of the root itself. */
  stated: string | null;
  /** Those of the objects in its list, as `addObjectVersion` keeps them. */
  versions: ReadonlySet<string>;
  /** Elements of its list. */
  elements: number;
}

/** An object without spec_version outside a bundle is by definition STIX 2.0 (mapping section 1). */
export function objectsVersion({
  versions,
  elements,
}: Pick<VersionFacts, 'versions' | 'elements'>): string | null {
  if (elements === 0) return null;
  return versions.has('2.1') ? '2.1' : '2.0';
}

/**
 * The version of a JSON report, or of a bundle, envelope or object in a list; null when nothing in it has a version.
 */
export function jsonVersion(facts: VersionFacts): string | null {
  const { type, stated, versions, elements } = facts;
  if (type === undefined) return objectsVersion(facts);
  if (type !== 'bundle') return stated ?? '2.0';
  if (stated !== null) return stated;
  if (versions.has('2.1')) return '2.1';
  if (versions.has('2.0')) return '2.0';
  return elements > 0 ? '2.1' : null;
}

/** The versions of several parts of a file: distinct, in order, joined by commas; null without a version. */
export function joinVersions(versions: Iterable<string | null>): string | null {
  const distinct = new Set([...versions].filter((version) => version !== null));
  return distinct.size === 0 ? null : [...distinct].toSorted().slice(0, mostVersions).join(',');
}

/** Whether the list `objects` of an object is a list of STIX objects: a STIX object may have a property of that name. */
export const holdsObjects = (type: string | undefined): boolean => type === undefined || type === 'bundle';

/** Members of a TAXII 2.1 envelope, section 3.7; one without objects is a legal empty answer. */
const envelopeKeys: ReadonlySet<string> = new Set(['more', 'next', 'objects']);

export const isEnvelope = (names: Iterable<string>): boolean =>
  [...names].every((name) => envelopeKeys.has(name));

/** Why a root whose `objects` is no list is refused; `opens` is the first character of the value. */
export function noListMessage(opens: string): string {
  const found: Record<string, string> = {
    '{': 'an object',
    '"': 'a string',
    t: 'true',
    f: 'false',
    n: 'null',
  };
  return `Malformed STIX: "objects" must be a list, not ${found[opens] ?? 'a number'}`;
}
