import { childrenOf, textsIn, type XmlElement } from './construct.ts';
import type { Reference } from '../record.ts';
import { strictestTlp } from '../tlp.ts';

/** The TLP label of a construct's own `Handling`; a package's handling does not apply to its constructs. */
export function tlpIn(construct: XmlElement): string | undefined {
  const structures = childrenOf(construct, 'Handling', 'Marking', 'Marking_Structure');
  const colors = structures.map(({ attributes }) => attributes.get('color')?.toUpperCase());
  return strictestTlp(colors.filter((color) => color !== undefined).map((color) => `TLP:${color}`));
}

/** `References/Reference` and `Reference` along a path, as links. */
export function referencesIn(element: XmlElement, ...path: readonly string[]): Reference[] {
  const texts = [
    ...textsIn(element, ...path, 'References', 'Reference'),
    ...textsIn(element, ...path, 'Reference'),
  ];
  return texts.map((url) => ({ url }));
}

/** The terms of controlled vocabularies along a path, without "Unknown" (mapping section 5). */
export function termsIn(construct: XmlElement, ...path: readonly string[]): string[] {
  return textsIn(construct, ...path).filter((term) => term.toLowerCase() !== 'unknown');
}
