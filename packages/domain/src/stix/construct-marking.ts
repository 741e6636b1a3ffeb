import { childrenOf, textsIn, type XmlElement } from './construct.ts';
import type { Reference } from './record.ts';
import { strictestTlp } from './tlp.ts';

/** The TLP label of a construct's own `Handling`; a package's handling is not spread over its constructs. */
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

/** The words of controlled vocabularies along a path; "Unknown" says nothing (mapping section 5). */
export function wordsIn(construct: XmlElement, ...path: readonly string[]): string[] {
  return textsIn(construct, ...path).filter((word) => word.toLowerCase() !== 'unknown');
}
