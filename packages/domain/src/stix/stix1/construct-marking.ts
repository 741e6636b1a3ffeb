import type { ConstructContext } from './construct-head.ts';
import { childrenOf, textsIn, type XmlElement } from './construct.ts';
import type { Reference } from '../record.ts';
import { strictestTlp } from '../tlp.ts';

/** XPath steps from the `Controlled_Structure` of a header to its package or report. */
const toPackage = [
  String.raw`//?(?:[\w.-]+:)?STIX_Package`,
  String.raw`ancestor(?:-or-self)?::(?:[\w.-]+:)?(?:STIX_Package|Report)`,
  String.raw`(?:\.\./){3}\.\.`,
].join('|');
const everyNode = new RegExp(String.raw`^(?:${toPackage})?/(?:/|descendant(?:-or-self)?::)(?:node\(\)|\*)$`);

/** Whether a marking's XPath selects every node of the package: one of its alternatives does, such as `//node()`. */
const coversPackage = (marking: XmlElement): boolean =>
  textsIn(marking, 'Controlled_Structure').some((path) =>
    path.split('|').some((alternative) => everyNode.test(alternative.replaceAll(' ', ''))),
  );

function tlpOfMarkings(markings: readonly XmlElement[]): string | undefined {
  const structures = markings.flatMap((marking) => childrenOf(marking, 'Marking_Structure'));
  const colors = structures.map(({ attributes }) => attributes.get('color')?.toUpperCase());
  return strictestTlp(colors.filter((color) => color !== undefined).map((color) => `TLP:${color}`));
}

/** The TLP label that a `Handling` of a header gives to all of its package or report. */
export const packageTlp = (handling: XmlElement): string | undefined =>
  tlpOfMarkings(childrenOf(handling, 'Marking').filter(coversPackage));

/** The TLP label of a construct: of its own `Handling`, else of its package. */
export const tlpIn = (construct: XmlElement, { tlp }: Pick<ConstructContext, 'tlp'>): string | undefined =>
  tlpOfMarkings(childrenOf(construct, 'Handling', 'Marking')) ?? tlp;

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
