import type { StartTag, XmlElement } from '@riskboard/domain';
import type { Attribute, ExpandedName } from './namespaces.ts';

/** Resolves a namespace prefix at the parser's current element. */
export type Resolve = (prefix: string) => string | undefined;

/** A start tag with what decides whether it is a definition, found while its attributes are read once. */
export interface StartElement extends StartTag, Pick<XmlElement, 'id' | 'idref'> {
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

const instance = 'http://www.w3.org/2001/XMLSchema-instance';

/** The name's namespace and local part; as written when it has no prefix or the prefix is not bound. */
function splitName(name: string, resolve: Resolve): { uri: string; local: string } {
  const at = name.indexOf(':');
  const uri = at === -1 ? undefined : resolve(name.slice(0, at));
  return uri === undefined ? { uri: '', local: name } : { uri, local: name.slice(at + 1) };
}

/** `example:et-1` as `{http://example.com}et-1`; undefined for a blank one. */
function expandedId(written: string, resolve: Resolve): string | undefined {
  const name = written.trim();
  if (name === '') return undefined;
  const { uri, local } = splitName(name, resolve);
  return local === name ? name : `{${uri}}${local}`;
}

/** @param attributes of the tag, in their order */
export function startElement(
  { uri, local, name }: ExpandedName,
  attributes: readonly Attribute[],
  resolve: Resolve,
): StartElement {
  let id: string | undefined;
  let idref: string | undefined;
  let type: StartTag['type'];
  for (const attribute of attributes) {
    if (attribute.name === 'id') id = expandedId(attribute.value, resolve);
    else if (attribute.name === 'idref') idref = expandedId(attribute.value, resolve);
    else if (attribute.local === 'type' && attribute.uri === instance)
      type = splitName(attribute.value.trim(), resolve);
  }
  return { uri, local, name, attributes, hasId: id !== undefined, id, idref, type };
}

/** The value of an attribute, by its name as written. */
export const attributeOf = ({ attributes }: StartElement, name: string): string | undefined =>
  attributes.find((attribute) => attribute.name === name)?.value;
