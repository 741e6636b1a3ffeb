import type { XmlElement } from '@riskboard/domain';
import type { SaxesTagNS } from 'saxes';

/** Characters of a construct that is still read, 32 Mi; an element counts as `elementCost`. */
export const largestConstruct = 32 * 1024 * 1024;
const elementCost = 128;

interface Node extends XmlElement {
  readonly children: Node[];
  text: string;
}

/** Resolves a namespace prefix where the parser stands. */
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
  const id = qualified(tag, 'id', resolve);
  const idref = qualified(tag, 'idref', resolve);
  return { ...(id === undefined ? {} : { id }), ...(idref === undefined ? {} : { idref }) };
}

/** Builds the content of one outermost construct; stops keeping it beyond `largestConstruct`. */
export class ConstructTree {
  readonly #open: Node[] = [];
  #size = 0;

  get tooLarge(): boolean {
    return this.#size > largestConstruct;
  }

  open(tag: SaxesTagNS, resolve: Resolve): XmlElement {
    const attributes = new Map<string, string>();
    for (const { uri, local, value } of Object.values(tag.attributes)) {
      if (uri === '') attributes.set(local, value);
      this.#size += value.length;
    }
    const node: Node = {
      uri: tag.uri,
      local: tag.local,
      attributes,
      children: [],
      text: '',
      ...identityOf(tag, resolve),
    };
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
