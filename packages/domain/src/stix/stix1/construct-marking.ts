import { childrenOf, textsIn, type XmlElement } from './construct.ts';
import type { Reference } from '../record.ts';
import { strictestTlp, tlpLabel } from '../tlp.ts';

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

/** The labels in an element and in all elements inside it: AIS, for example, has its color in a part of the structure. */
function labelsIn(structure: XmlElement): (string | undefined)[] {
  const labels: (string | undefined)[] = [];
  const elements = [structure];
  for (const { attributes, children } of elements) {
    const color = attributes.get('color');
    if (color !== undefined) labels.push(tlpLabel(color));
    for (const child of children) elements.push(child);
  }
  return labels;
}

/** TLP schema of STIX 1.x: a node with several markings has the most restrictive of them. */
const tlpOfMarkings = (markings: readonly XmlElement[]): string | undefined =>
  strictestTlp(markings.flatMap((marking) => childrenOf(marking, 'Marking_Structure')).flatMap(labelsIn));

/** The TLP label that a `Handling` of a header gives to all of its package or report. */
export const packageTlp = (handling: XmlElement): string | undefined =>
  tlpOfMarkings(childrenOf(handling, 'Marking').filter(coversPackage));

/** The TLP label that a `Handling` of a construct gives to the construct and to those inside it. */
export const constructTlp = (handling: XmlElement): string | undefined =>
  tlpOfMarkings(childrenOf(handling, 'Marking'));

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
