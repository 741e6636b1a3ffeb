import { decimalNumber } from '../../decimal.ts';
import { recordName } from '../clean-text.ts';

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

/** The descendants along a path of local names; namespaces are ignored because 1.1 and 1.2.1 differ in them. */
export function childrenOf(element: XmlElement, ...path: readonly string[]): XmlElement[] {
  let found = [element];
  for (const local of path) {
    const next: XmlElement[] = [];
    for (const { children } of found)
      for (const child of children) if (child.local === local) next.push(child);
    if (next.length === 0) return next;
    found = next;
  }
  return found;
}

const otherThanOneSpace = /\s\s|[^\S ]/;

const collapsed = (text: string): string =>
  (otherThanOneSpace.test(text) ? text.replace(/\s+/g, ' ') : text).trim();

/** The texts along a path, with whitespace collapsed: pretty-printing may have added line breaks. */
export function textsIn(element: XmlElement, ...path: readonly string[]): string[] {
  return childrenOf(element, ...path)
    .map(({ text }) => collapsed(text))
    .filter((text) => text !== '');
}

/** The first text along a path, with whitespace collapsed. */
export const textIn = (element: XmlElement, ...path: readonly string[]): string | undefined =>
  textsIn(element, ...path)[0];

/** The names along a path, as records have them. */
export const namesIn = (element: XmlElement, ...path: readonly string[]): string[] =>
  textsIn(element, ...path).flatMap((text) => recordName(text) ?? []);

/** The first name along a path, as records have it. */
export const nameIn = (element: XmlElement, ...path: readonly string[]): string | undefined =>
  namesIn(element, ...path)[0];

/** Repeated descriptions in the order of their `ordinality`, as paragraphs; line breaks are kept. */
function paragraphs(element: XmlElement, local: string): string | undefined {
  const ordinality = (child: XmlElement): number =>
    decimalNumber(child.attributes.get('ordinality') ?? '') ?? 0;
  const texts = childrenOf(element, local)
    .toSorted((a, b) => ordinality(a) - ordinality(b))
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** `Description`, which may repeat, else `Short_Description`. */
export const descriptionIn = (element: XmlElement): string | undefined =>
  paragraphs(element, 'Description') ?? paragraphs(element, 'Short_Description');
