import type { XmlElement } from '@riskboard/domain';
import type { StartElement } from './start-element.ts';

/** Greatest size of a construct that is read, in characters, with these for the memory of each element and attribute. */
export const largestConstruct = 32 * 1024 * 1024;
const elementCost = 128;
const attributeCost = 64;

interface Node extends XmlElement {
  readonly children: Node[];
  text: string;
}

const none: ReadonlyMap<string, string> = new Map();

/** Attributes without a namespace, by name. */
function plainAttributes({ attributes }: StartElement): ReadonlyMap<string, string> {
  let found: Map<string, string> | undefined;
  for (const attribute of attributes) {
    if (attribute.uri !== '') continue;
    found ??= new Map();
    found.set(attribute.local, attribute.value);
  }
  return found ?? none;
}

/** Builds the content of one outermost construct; stops keeping it beyond `largestConstruct`. */
export class ConstructTree {
  readonly #open: Node[] = [];
  #size = 0;

  /** In characters, as `largestConstruct`. */
  get size(): number {
    return this.#size;
  }

  get tooLarge(): boolean {
    return this.#size > largestConstruct;
  }

  open(start: StartElement): XmlElement {
    const { uri, local, id, idref } = start;
    const attributes = plainAttributes(start);
    // Those that are not kept declare the namespaces that are.
    for (const { name, value } of start.attributes) this.#size += attributeCost + name.length + value.length;
    const node: Node = { uri, local, attributes, children: [], text: '', id, idref };
    this.#size += elementCost + local.length;
    if (!this.tooLarge) this.#open.at(-1)?.children.push(node);
    this.#open.push(node);
    return node;
  }

  text(text: string): void {
    this.#size += text.length;
    const node = this.#open.at(-1);
    if (node !== undefined && !this.tooLarge) node.text += text;
  }

  /** True when this was the outermost element. */
  close(): boolean {
    this.#open.pop();
    return this.#open.length === 0;
  }
}
