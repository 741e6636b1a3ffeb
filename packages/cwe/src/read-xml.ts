import { formatCount } from '@riskboard/domain';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { CatalogueFault, type CatalogueContent } from './catalogue.ts';
import { CatalogueEntries, longestEntry, nodeCost } from './catalogue-entries.ts';
import { entryKinds, entryOf, type XmlNode } from './xml-entry.ts';

/** Depth of MITRE's file is below 15. */
const deepest = 100;
/** Of the whole file; MITRE's has 40 million. */
const longestFile = 128_000_000;

/** Removes the prefix of a name, as in xhtml:p. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Reads MITRE's XML download part by part: one entry at a time is kept as a tree. */
export class CatalogueXmlReader {
  readonly #parser = new SaxesParser();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #entries = new CatalogueEntries();
  #root: Readonly<Record<string, string>> | undefined;
  #depth = 0;
  /** The open elements of the current entry, outermost first. */
  #open: XmlNode[] = [];
  /** Of the current entry; of the current tag outside of entries. */
  #length = 0;
  #totalLength = 0;
  /** Characters that saxes collects for its next event. */
  #pending = 0;

  constructor() {
    this.#parser.on('doctype', () => {
      throw new CatalogueFault('The XML declares a document type, which is not accepted.');
    });
    // A tag has its attributes in memory before it is reported.
    this.#parser.on('attribute', ({ name, value }) => this.#count(nodeCost + name.length + value.length));
    this.#parser.on('opentag', (tag) => this.#openTag(tag));
    this.#parser.on('closetag', () => this.#closeTag());
    this.#parser.on('text', (text) => this.#text(text));
    this.#parser.on('cdata', (text) => this.#text(text));
  }

  /** @throws CatalogueFault with the line, for malformed XML and for another document */
  push(bytes: Uint8Array): void {
    this.#write(this.#decode(bytes, true));
  }

  /** @throws CatalogueFault for an incomplete file, and what CatalogueEntries throws */
  end(versionOfName: string | undefined): CatalogueContent {
    this.#write(this.#decode(new Uint8Array(), false));
    this.#guard(() => this.#parser.close());
    const { Version, Date: date } = this.#root ?? {};
    return this.#entries.complete({ version: Version ?? versionOfName, date });
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream });
    } catch {
      throw new CatalogueFault(`The file is not valid UTF-8 after line ${formatCount(this.#parser.line)}.`);
    }
  }

  #write(text: string): void {
    this.#pending += text.length;
    this.#guard(() => void this.#parser.write(text));
    // A text of entities, or a document type, has up to forty times its size in memory until it is complete.
    if (this.#pending > longestEntry) throw this.#fault('one text, tag or comment is longer than 4 MB.');
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (cause) {
      const [, line, message] = (cause instanceof Error && /^(\d+):\d+: (.*)$/su.exec(cause.message)) || [];
      if (line === undefined) throw cause;
      throw new CatalogueFault(`Line ${formatCount(Number(line))}: malformed XML, ${message}`, { cause });
    }
  }

  #fault(message: string): CatalogueFault {
    return new CatalogueFault(`Line ${formatCount(this.#parser.line)}: ${message}`);
  }

  /** @throws CatalogueFault beyond the limit of one entry or of all */
  #count(length: number): void {
    this.#pending = 0;
    this.#length += length;
    this.#totalLength += length;
    if (this.#length > longestEntry) throw this.#fault('one entry is longer than 4 MB.');
    if (this.#totalLength > longestFile) throw this.#fault('the catalogue is longer than 128 MB.');
  }

  #openTag(tag: SaxesTagPlain): void {
    this.#count(nodeCost + tag.name.length);
    this.#depth += 1;
    if (this.#depth > deepest) throw this.#fault(`the XML is nested deeper than ${deepest} levels.`);
    const name = localName(tag.name);
    if (this.#depth === 1) {
      if (name !== 'Weakness_Catalog')
        throw this.#fault(`this is no CWE catalogue: its first element is ${name}, not Weakness_Catalog.`);
      this.#root = tag.attributes;
      this.#length = 0;
      return;
    }
    const parent = this.#open.at(-1);
    if (parent === undefined && !(this.#depth === 3 && Object.hasOwn(entryKinds, name))) {
      this.#length = 0;
      return;
    }
    const node: XmlNode = { name, attributes: tag.attributes, children: [] };
    parent?.children.push(node);
    this.#open.push(node);
  }

  #text(text: string): void {
    this.#pending = 0;
    if (this.#open.length === 0 || text === '') return;
    this.#count(text.length);
    this.#open.at(-1)?.children.push(text);
  }

  #closeTag(): void {
    this.#pending = 0;
    this.#depth -= 1;
    const node = this.#open.pop();
    if (node === undefined || this.#open.length > 0) return;
    this.#length = 0;
    const entry = entryOf(node);
    if (entry === undefined) throw this.#fault(`a ${node.name} without a number or a name.`);
    this.#entries.add(entry);
  }
}
