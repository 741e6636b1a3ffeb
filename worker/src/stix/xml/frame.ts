import type { ConstructKind, Definition, Scope, XmlElement } from '@riskboard/domain';
import type { MarkedParts } from './marked-parts.ts';
import type { StartElement } from './start-element.ts';

/** Most names of children that are counted, of all open elements together: each child could have another name. */
const mostNames = 1000;

/** An open element. */
export interface Frame {
  /** Its name; `*`, which selects all siblings, when those of its name are not counted. */
  readonly step: string;
  readonly local: string;
  /** Position among the siblings that the step selects, from 1. */
  readonly position: number;
  /** Its children so far. */
  children: number;
  /** Name of its first child: most elements have children of one name, which need no map. */
  firstChild: string;
  /** Children of that name. */
  firstChildren: number;
  /** Children of other names; made with the first of them. */
  otherChildren: Map<string, number> | undefined;
  /** Version of the package that this element is in; undefined outside of STIX. */
  readonly version: string | null | undefined;
  /** Of its children. */
  scope: Scope;
  construct: Construct | undefined;
  /** The strictest TLP label of the packages, the report and the constructs that it is in, as far as they have been read. */
  tlp: string | undefined;
  /** Parts that headers of its packages mark, to be found inside it. */
  marked: MarkedParts | undefined;
  /** The `Handling` of a header or construct, whose content is kept until it is read. */
  readonly handling: XmlElement | undefined;
  /** A `Package_Intent` with a vocabulary, whose text is to be checked. */
  readonly intent: boolean;
  /** `Content` of a TAXII block, where a package has to follow. */
  readonly content: boolean;
  /** A `Content` that has text of its own. */
  hasText: boolean;
  /** Its path as a part of the locations inside it; made with the first of them. */
  path: string | undefined;
}

/** A construct that is open. */
export interface Construct {
  readonly type: string;
  readonly kind: ConstructKind | undefined;
  readonly mayBeRelationship: Definition['mayBeRelationship'];
  readonly id: string | undefined;
  readonly location: string;
  /** Kept only for the kinds that give records, until the construct is written. */
  element: XmlElement | undefined;
  /** Set once it is known to be a definition: by its id, else by its first content. */
  ordinal: number | undefined;
}

/** Counts the children of open elements by name: the positions in their locations. */
export class ChildPositions {
  /** Names in the maps of the open elements. */
  #names = 0;

  /** The last step to a new child, with its position: of its name, or `*` when there are too many names. */
  next(parent: Frame, name: string): Pick<Frame, 'step' | 'position'> {
    parent.children += 1;
    if (parent.firstChildren === 0) parent.firstChild = name;
    if (parent.firstChild === name) {
      parent.firstChildren += 1;
      return { step: name, position: parent.firstChildren };
    }
    const known = parent.otherChildren?.get(name);
    if (known === undefined) {
      if (this.#names === mostNames) return { step: '*', position: parent.children };
      this.#names += 1;
      parent.otherChildren ??= new Map();
    }
    const position = (known ?? 0) + 1;
    parent.otherChildren?.set(name, position);
    return { step: name, position };
  }

  /** An element is no longer open. */
  close(frame: Frame): void {
    this.#names -= frame.otherChildren?.size ?? 0;
  }
}

export const hasIntentVocabulary = ({ attributes }: StartElement): boolean =>
  attributes.some(({ local, value }) => local === 'type' && value.includes('PackageIntentVocab'));

/** The path of the open element at this depth, as a part of the locations inside it. Only the root has no position. */
function pathOf(frames: readonly Frame[], depth: number): string {
  const frame = frames[depth];
  if (frame === undefined) return '';
  if (depth === 0) return (frame.path ??= `/${frame.step}`);
  return (frame.path ??= `${pathOf(frames, depth - 1)}/${frame.step}[${frame.position}]`);
}

/** The location of an element, which selects only this one: the last of the open ones, or a child of it that is not open. */
export function locationOf(frames: readonly Frame[], element: Pick<Frame, 'step' | 'position'>): string {
  const depth = frames.at(-1) === element ? frames.length - 2 : frames.length - 1;
  const step = `/${element.step}`;
  return depth < 0 ? step : `${pathOf(frames, depth)}${step}[${element.position}]`;
}
