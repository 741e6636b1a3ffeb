import { formatCount } from '@riskboard/domain';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { CatalogueFault, type CatalogueContent, type CweEntry } from '../record.ts';
import { completeCatalogue, mostEntries } from './complete.ts';
import { entryKinds, entryOf, type XmlNode } from './xml-entry.ts';

/** Depth of MITRE's file is below 15. */
const deepest = 100;
/** Characters of one entry; the longest of MITRE's has 110,000. */
const longestEntry = 4_000_000;

/** Removes the prefix of a name, as in xhtml:p. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Reads MITRE's XML download part by part: one entry at a time is kept as a tree. */
export class CatalogueXmlReader {
  readonly #parser = new SaxesParser();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #entries: CweEntry[] = [];
  #root: Readonly<Record<string, string>> | undefined;
  #depth = 0;
  /** The open elements of the current entry, outermost first. */
  #open: XmlNode[] = [];
  #length = 0;
  #head = '';

  constructor() {
    this.#parser.on('opentag', (tag) => this.#openTag(tag));
    this.#parser.on('closetag', () => this.#closeTag());
    this.#parser.on('text', (text) => this.#text(text));
    this.#parser.on('cdata', (text) => this.#text(text));
  }

  /** @throws CatalogueFault with the line, for malformed XML and for another document */
  push(bytes: Uint8Array): void {
    this.#write(this.#decode(bytes, true));
  }

  /** @throws CatalogueFault for an incomplete file, and what completeCatalogue throws */
  end(versionOfName: string | undefined): CatalogueContent {
    this.#write(this.#decode(new Uint8Array(), false));
    this.#guard(() => this.#parser.close());
    const { Version, Date: date } = this.#root ?? {};
    return completeCatalogue({ version: Version ?? versionOfName, date }, this.#entries);
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream });
    } catch {
      throw new CatalogueFault(`The file is not valid UTF-8 after line ${formatCount(this.#parser.line)}.`);
    }
  }

  #write(text: string): void {
    // saxes would read a document type with its entities first; MITRE's file has none.
    if (this.#root === undefined) {
      this.#head = (this.#head + text).slice(-100_000);
      if (/<!DOCTYPE/iu.test(this.#head.split('<Weakness_Catalog', 1)[0] ?? ''))
        throw new CatalogueFault('The XML declares a document type, which is not accepted.');
    }
    this.#guard(() => void this.#parser.write(text));
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

  #openTag(tag: SaxesTagPlain): void {
    this.#depth += 1;
    if (this.#depth > deepest) throw this.#fault(`the XML is nested deeper than ${deepest} levels.`);
    const name = localName(tag.name);
    if (this.#depth === 1) {
      if (name !== 'Weakness_Catalog')
        throw this.#fault(`this is no CWE catalogue: its first element is ${name}, not Weakness_Catalog.`);
      this.#root = tag.attributes;
      return;
    }
    const parent = this.#open.at(-1);
    if (parent === undefined && !(this.#depth === 3 && Object.hasOwn(entryKinds, name))) return;
    const node: XmlNode = { name, attributes: tag.attributes, children: [] };
    parent?.children.push(node);
    this.#open.push(node);
  }

  #text(text: string): void {
    if (this.#open.length === 0) return;
    this.#length += text.length;
    if (this.#length > longestEntry) throw this.#fault('one entry is longer than 4 MB.');
    this.#open.at(-1)?.children.push(text);
  }

  #closeTag(): void {
    this.#depth -= 1;
    const node = this.#open.pop();
    if (node === undefined || this.#open.length > 0) return;
    this.#length = 0;
    const entry = entryOf(node);
    if (entry === undefined) throw this.#fault(`a ${node.name} without a number or a name.`);
    if (this.#entries.length >= mostEntries)
      throw this.#fault(`the catalogue has more than ${formatCount(mostEntries)} entries.`);
    this.#entries.push(entry);
  }
}
