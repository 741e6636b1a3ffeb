import type { XmlElement } from '@riskboard/domain';
import type { SaxesTagNS } from 'saxes';

/** Greatest size of a construct that is read, in characters; an element counts as `elementCost`. */
export const largestConstruct = 32 * 1024 * 1024;
const elementCost = 128;

interface Node extends XmlElement {
  readonly children: Node[];
  text: string;
}

/** Resolves a namespace prefix at the parser's current element. */
export type Resolve = (prefix: string) => string | undefined;

/** `example:et-1` as `{http://example.com}et-1`; as written when it has no prefix or the prefix is not bound. */
export function expandName(name: string, resolve: Resolve): string {
  const at = name.indexOf(':');
  const uri = at === -1 ? undefined : resolve(name.slice(0, at));
  return uri === undefined ? name : `{${uri}}${name.slice(at + 1)}`;
}

function qualified(tag: SaxesTagNS, attribute: 'id' | 'idref', resolve: Resolve): string | undefined {
  const value = tag.attributes[attribute]?.value.trim();
  return value === undefined || value === '' ? undefined : expandName(value, resolve);
}

/** The construct's id and idref, expanded. */
export function identityOf(tag: SaxesTagNS, resolve: Resolve): Pick<XmlElement, 'id' | 'idref'> {
  return { id: qualified(tag, 'id', resolve), idref: qualified(tag, 'idref', resolve) };
}

const none: ReadonlyMap<string, string> = new Map();

/** Attributes without a namespace, by name. */
function plainAttributes(tag: SaxesTagNS): ReadonlyMap<string, string> {
  let found: Map<string, string> | undefined;
  for (const attribute of Object.values(tag.attributes)) {
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

  get tooLarge(): boolean {
    return this.#size > largestConstruct;
  }

  open(tag: SaxesTagNS, resolve: Resolve): XmlElement {
    const attributes = plainAttributes(tag);
    for (const value of attributes.values()) this.#size += value.length;
    const id = qualified(tag, 'id', resolve);
    const idref = qualified(tag, 'idref', resolve);
    const node: Node = { uri: tag.uri, local: tag.local, attributes, children: [], text: '', id, idref };
    this.#size += elementCost;
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
