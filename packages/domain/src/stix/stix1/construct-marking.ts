import { childrenOf, textsIn, type XmlElement } from './construct.ts';
import { coverageOf, type PartName } from './controlled-structure.ts';
import type { Reference } from '../record.ts';
import { strictestTlp, tlpLabel } from '../tlp.ts';

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

/** Elements of a package with their TLP label. */
export interface MarkedPart {
  readonly part: PartName;
  readonly tlp: string;
}

/** The TLP labels that a `Handling` of a header gives. */
export interface HeaderMarking {
  /** Of all of the package or report. */
  readonly whole: string | undefined;
  readonly parts: readonly MarkedPart[];
  /** Of a part of it that cannot be decided. */
  readonly unclear: string | undefined;
}

/**
 * The TLP labels of a header, and what they cover.
 * @param around local names of the elements that contain the header
 */
export function headerMarking(handling: XmlElement, around: readonly string[]): HeaderMarking {
  const markings = childrenOf(handling, 'Marking').flatMap((marking) => {
    const tlp = tlpOfMarkings([marking]);
    return tlp === undefined
      ? []
      : [{ tlp, ...coverageOf(textsIn(marking, 'Controlled_Structure'), around) }];
  });
  const strictest = (of: 'isWhole' | 'isUnclear'): string | undefined =>
    strictestTlp(markings.filter((marking) => marking[of]).map(({ tlp }) => tlp));
  return {
    whole: strictest('isWhole'),
    parts: markings.flatMap(({ tlp, parts }) => parts.map((part) => ({ part, tlp }))),
    unclear: strictest('isUnclear'),
  };
}

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
