import type { SaxesParser } from 'saxes';

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/** Names that are remembered, and their greatest length with their namespace: a file may have any number of any length. */
const mostNames = 1000;
const longestName = 400;

/** Attributes that are compared with each other; more are looked up in a set. */
const mostCompared = 8;

/** A name as written, and its namespace; `uri` is empty in none. */
export interface ExpandedName {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
}

export interface Attribute extends ExpandedName {
  readonly value: string;
}

/** The declarations of an element, inside those of the elements around it. */
interface Scope {
  /** Of this scope alone, also after its end: remembered names do not keep scopes in memory. */
  readonly id: number;
  /** Depth of the element. */
  readonly depth: number;
  /** Namespaces by prefix; the default namespace has the prefix ''. */
  readonly uris: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
}

/** A name with its namespace in the scope in which it was read last. */
interface KnownName {
  readonly expanded: ExpandedName;
  readonly scope: number;
}

/** The parser cuts names and values out of a piece of the file, which they would keep in memory. */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** What is wrong with a declaration, as only the prefix `xml` may have its namespace, and none that of `xmlns`. */
function reservedFault(prefix: string, uri: string): string | undefined {
  if (prefix === 'xml' && uri !== xmlNamespace) return `xml prefix must be bound to ${xmlNamespace}.`;
  if (prefix === 'xmlns' && uri !== xmlnsNamespace) return `xmlns prefix must be bound to ${xmlnsNamespace}.`;
  const isReserved = uri === xmlnsNamespace || (uri === xmlNamespace && prefix !== 'xml');
  if (!isReserved) return undefined;
  if (prefix === '') return `the default namespace may not be set to ${uri}.`;
  return uri === xmlNamespace
    ? 'may not assign the xml namespace to another prefix.'
    : `may not assign a prefix (even "xmlns") to the URI ${uri}.`;
}

/** The name by which an attribute must be the only one of its element. */
const keyOf = ({ prefix, local, uri }: ExpandedName): string => (prefix === '' ? local : `{${uri}}${local}`);

/** Whether one of the attributes in front of this one has its name. */
function isRepeated(attribute: ExpandedName, attributes: readonly ExpandedName[]): boolean {
  for (const other of attributes) {
    if (other === attribute) return false;
    if (other.local === attribute.local && keyOf(other) === keyOf(attribute)) return true;
  }
  return false;
}

interface PendingAttribute extends Attribute {
  uri: string;
}

/**
 * Has a parser pass each attribute to `listener` as it is read, and resolve no names: `Namespaces` does. In its namespace
 * mode the parser still refuses colons in the names of processing instructions and entities, but its tags have no
 * namespaces and no attributes. The three members are private: the version of saxes is exact, and namespaces.property.test.ts
 * compares the outcome with an unchanged parser.
 */
export function readAttributes(
  parser: SaxesParser<{ xmlns: true }>,
  listener: (name: string, value: string) => void,
): void {
  Object.assign(parser, { xmlnsOpt: false, pushAttrib: listener, processAttribs: () => {} });
}

/**
 * Resolves the names of elements and attributes as "Namespaces in XML" has it, with the messages that saxes has in its
 * namespace mode (decision 0087).
 */
export class Namespaces {
  readonly #parser: Pick<SaxesParser, 'makeError' | 'xmlDecl'>;
  readonly #known = new Map<string, KnownName>();
  #scope: Scope = {
    id: 0,
    depth: 0,
    uris: new Map([
      ['xml', xmlNamespace],
      ['xmlns', xmlnsNamespace],
    ]),
    outer: undefined,
  };
  #lastScope = 0;
  #depth = 0;

  /** Of the tag that is being read. */
  #attributes: PendingAttribute[] = [];
  #declared: Map<string, string> | undefined;

  /** @param parser in which the errors occur; without a listener for them */
  constructor(parser: Pick<SaxesParser, 'makeError' | 'xmlDecl'>) {
    this.#parser = parser;
  }

  /** Attributes of the tag that is being read. */
  get attributeCount(): number {
    return this.#attributes.length;
  }

  /** The next attribute of the tag that is being read. */
  addAttribute(name: string, value: string): void {
    if (name.includes(':')) {
      const { prefix, local } = this.#split(name);
      this.#attributes.push({ name, prefix, local, uri: '', value });
      if (prefix === 'xmlns') this.#declare(local, value.trim());
    } else {
      const isDefault = name === 'xmlns';
      this.#attributes.push({ name, prefix: '', local: name, uri: isDefault ? xmlnsNamespace : '', value });
      if (isDefault) this.#declare('', value.trim());
    }
  }

  /** The tag is complete: its element is open until `close`. */
  open(name: string): { element: ExpandedName; attributes: readonly Attribute[] } {
    this.#depth += 1;
    if (this.#declared !== undefined) {
      this.#lastScope += 1;
      this.#scope = { id: this.#lastScope, depth: this.#depth, uris: this.#declared, outer: this.#scope };
      this.#declared = undefined;
    }
    const element = this.#expand(name);
    if (element.prefix === 'xmlns') this.#fail('tags may not have "xmlns" as prefix.');
    if (element.prefix !== '' && element.uri === '') this.#failUnbound(element.prefix);
    const attributes = this.#attributes;
    if (attributes.length > 0) {
      this.#expandAttributes();
      this.#attributes = [];
    }
    return { element, attributes };
  }

  /** The innermost open element ends. */
  close(): void {
    if (this.#scope.depth === this.#depth && this.#scope.outer !== undefined) this.#scope = this.#scope.outer;
    this.#depth -= 1;
  }

  /** The namespace of a prefix at the innermost open element; of '' the default namespace. */
  resolve(prefix: string): string | undefined {
    for (let scope: Scope | undefined = this.#scope; scope !== undefined; scope = scope.outer) {
      const uri = scope.uris.get(prefix);
      if (uri !== undefined) return uri;
    }
    return undefined;
  }

  /** Attributes without a prefix are in no namespace: the default one is for elements. */
  #expandAttributes(): void {
    const attributes = this.#attributes;
    const keys = attributes.length > mostCompared ? new Set<string>() : undefined;
    for (const attribute of attributes) {
      if (attribute.prefix !== '') attribute.uri = this.#expand(attribute.name).uri;
      const isKnown = keys === undefined ? isRepeated(attribute, attributes) : keys.has(keyOf(attribute));
      if (isKnown) this.#fail(`duplicate attribute: ${keyOf(attribute)}.`);
      keys?.add(keyOf(attribute));
    }
  }

  /** The name of an element, or of an attribute with a prefix. */
  #expand(written: string): ExpandedName {
    const known = this.#known.get(written);
    if (known?.scope === this.#scope.id) return known.expanded;
    const expanded = this.#inScope(known?.expanded ?? this.#split(copyOf(written)));
    if (expanded.name.length + expanded.uri.length > longestName) return expanded;
    if (known === undefined && this.#known.size >= mostNames) this.#known.clear();
    this.#known.set(expanded.name, { expanded, scope: this.#scope.id });
    return expanded;
  }

  #inScope({ name, prefix, local }: Omit<ExpandedName, 'uri'>): ExpandedName {
    const uri = this.resolve(prefix);
    if (uri === undefined && prefix !== '') this.#failUnbound(prefix);
    return { name, prefix, local, uri: uri ?? '' };
  }

  #split(name: string): Omit<ExpandedName, 'uri'> {
    const at = name.indexOf(':');
    if (at === -1) return { name, prefix: '', local: name };
    const [prefix, local] = [name.slice(0, at), name.slice(at + 1)];
    if (prefix === '' || local === '' || local.includes(':')) this.#fail(`malformed name: ${name}.`);
    return { name, prefix, local };
  }

  #declare(prefix: string, uri: string): void {
    if (prefix !== '' && uri === '' && (this.#parser.xmlDecl.version ?? '1.0') === '1.0')
      this.#fail('invalid attempt to undefine prefix in XML 1.0');
    const fault = reservedFault(prefix, uri);
    if (fault !== undefined) this.#fail(fault);
    this.#declared ??= new Map();
    this.#declared.set(prefix, copyOf(uri));
  }

  #failUnbound(prefix: string): never {
    return this.#fail(`unbound namespace prefix: ${JSON.stringify(prefix)}.`);
  }

  #fail(message: string): never {
    throw this.#parser.makeError(message);
  }
}
