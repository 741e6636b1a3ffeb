import type { ConstructKind, Definition, Scope, StartTag, XmlElement } from '@riskboard/domain';
import type { SaxesTagNS } from 'saxes';
import { expandName, type Resolve } from './construct-tree.ts';

/** An open element. */
export interface Frame {
  readonly step: string;
  readonly local: string;
  /** Position among the siblings of the same name, from 1. */
  readonly position: number;
  /** Children seen, by name; made with the first child. */
  children: Map<string, number> | undefined;
  /** Version of the package that this element is in; undefined outside of STIX. */
  readonly version: string | null | undefined;
  /** Of its children. */
  scope: Scope;
  construct: Construct | undefined;
  /** A `Package_Intent` with a vocabulary, whose text is to be checked. */
  readonly intent: boolean;
  /** `Content` of a TAXII block, where a package has to follow. */
  readonly content: boolean;
}

/** A construct that is open. */
export interface Construct {
  readonly type: string;
  readonly kind: ConstructKind | undefined;
  readonly mayBeRelationship: Definition['mayBeRelationship'];
  readonly id: string | undefined;
  readonly location: string;
  /** Kept only for the kinds that give records. */
  readonly element: XmlElement | undefined;
  /** Set once it is known to be a definition: by its id, else by its first content. */
  ordinal: number | undefined;
}

/** The location of a new child among its siblings of the same name, from 1. */
export function nextPosition(parent: Frame, name: string): number {
  parent.children ??= new Map();
  const position = (parent.children.get(name) ?? 0) + 1;
  parent.children.set(name, position);
  return position;
}

export function hasIntentVocabulary(tag: SaxesTagNS): boolean {
  const types = Object.values(tag.attributes).filter(({ local }) => local === 'type');
  return types.some(({ value }) => value.includes('PackageIntentVocab'));
}

const instance = 'http://www.w3.org/2001/XMLSchema-instance';
const expandedName = /^(?:\{(.*)\})?(.*)$/s;

function schemaType(tag: SaxesTagNS, resolve: Resolve): StartTag['type'] {
  for (const name in tag.attributes) {
    const attribute = tag.attributes[name];
    if (attribute?.local !== 'type' || attribute.uri !== instance) continue;
    const [, uri = '', local = ''] = expandedName.exec(expandName(attribute.value.trim(), resolve)) ?? [];
    return { uri, local };
  }
  return undefined;
}

/** What decides whether an element is a definition. */
export function startTag(tag: SaxesTagNS, resolve: Resolve): StartTag {
  const { uri, local } = tag;
  const hasId = (tag.attributes['id']?.value.trim() ?? '') !== '';
  return { uri, local, hasId, type: schemaType(tag, resolve) };
}
