import {
  constructTlp,
  deepestXml,
  definitionOf,
  failed,
  isMappedKind,
  isPackageIntent,
  isHeaderHandling,
  isRelationship,
  isTaxiiContent,
  mapConstruct,
  mayMarkContent,
  scopeInside,
  strictestTlp,
  unmapped,
  unmappedReason,
  type AnonymousLabel,
  type MappedObject,
  type XmlElement,
  formatCount,
  headerMarking,
} from '@riskboard/domain';
import { SaxesParser } from 'saxes';
import { ConstructTree } from './construct-tree.ts';
import { ChildPositions, hasIntentVocabulary, locationOf, type Construct, type Frame } from './frame.ts';
import { HeldObjects } from './held-objects.ts';
import { MalformedXml } from './malformed-xml.ts';
import { addParts, labelOf } from './marked-parts.ts';
import { Namespaces, readAttributes } from './namespaces.ts';
import { PrologGuard } from './prolog-guard.ts';
import { ReportError } from '../report-error.ts';
import type { ReportSummary } from '../report-sink.ts';
import type { ReadObject, ReportWriter } from '../report-writer.ts';
import { startElement, type StartElement } from './start-element.ts';
import { StixContent } from './stix-content.ts';
import { XmlText } from './xml-text.ts';

const mostAttributes = 1000;
/** Characters between two elements or texts: no report contains a comment of that size. */
const longestToken = 64 * 1024 * 1024;
/**
 * Characters of an object's location, and of the namespace of its id: one name or namespace in the file could be repeated
 * in those of each object.
 */
const longestLocation = 2000;
/** Characters of a `Package_Intent` that are kept at least: the terms of its vocabulary are shorter. */
const longestIntent = 1000;
/** Bytes that become one text: V8 allocates texts above 64 KiB apart, which takes a fifth of the time of reading. */
const decodedBytes = 32 * 1024;

const tooLarge = failed('The construct is larger than 32 MiB');

/** Messages of saxes about names in the XML declaration: they list the expected names, and none after the last one. */
const declarationFault = /^(?:expected the name |expected one of |did not expect any more name)/;
const declarationMessage =
  'the XML declaration contains a name other than version, encoding and standalone, in this order.';

function readObject(
  { ordinal = 0, type, id, location }: Construct,
  version: string | null | undefined,
): ReadObject {
  return { ordinal, type, stixId: id ?? null, location, stixVersion: version ?? null };
}

/** Whether a `Handling` has the label of its construct, or of the package or report of its header. */
const isMarking = (tag: StartElement, parent: Frame | undefined): boolean =>
  parent?.construct !== undefined || isHeaderHandling(tag, parent?.local);

/** Reads STIX 1.x XML: a package, a fragment, or the content blocks of a TAXII 1.x message. */
export class XmlReader {
  readonly #writer: ReportWriter;
  readonly #fileHash: string;
  readonly #text: XmlText;
  readonly #guard = new PrologGuard();
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #namespaces = new Namespaces(this.#parser);
  readonly #resolve = (prefix: string): string | undefined => this.#namespaces.resolve(prefix);

  readonly #frames: Frame[] = [];
  readonly #positions = new ChildPositions();
  #tree: ConstructTree | undefined;
  readonly #held: HeldObjects;
  /** The outermost open construct that is not kept and whose label may follow the constructs inside it. */
  #marker: Frame | undefined;
  /** Constructs inside it were written before its end. */
  #hasReleased = false;
  #intent = '';

  readonly #content: StixContent;
  #ordinal = 0;
  readonly #numbers = new Map<AnonymousLabel, number>();

  #silence = 0;

  constructor(writer: ReportWriter, fileHash: string, head: Uint8Array) {
    this.#writer = writer;
    this.#fileHash = fileHash;
    this.#text = new XmlText(head);
    this.#held = new HeldObjects(writer);
    this.#content = new StixContent(writer, (frame) => locationOf(this.#frames, frame));
    this.#listen();
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += decodedBytes)
      this.#feed(this.#text.decode(bytes.subarray(at, at + decodedBytes)));
  }

  end(): ReportSummary {
    this.#feed(this.#text.end());
    this.#closeParser();
    const { wrapper, stixVersion } = this.#content.end();
    return this.#writer.summary({ media: 'xml', wrapper, stixVersion });
  }

  #closeParser(): void {
    try {
      this.#parser.close();
    } catch (cause) {
      throw this.#fault(cause);
    }
  }

  #feed(text: string): void {
    this.#guard.push(text);
    this.#silence += text.length;
    try {
      this.#parser.write(text);
    } catch (cause) {
      throw this.#fault(cause);
    }
    if (this.#silence > longestToken) {
      throw new ReportError(
        'too-large',
        'The XML contains a text or comment of more than 64 MiB.',
        this.#where(),
      );
    }
  }

  /** Converts an error of saxes, which it throws when the text is malformed because no error listener is set. */
  #fault(cause: unknown): unknown {
    if (cause instanceof ReportError || !(cause instanceof Error)) return cause;
    const message = /^\d+:\d+: (.*)$/s.exec(cause.message)?.[1];
    if (message === undefined) return cause;
    const shown = declarationFault.test(message) ? declarationMessage : message;
    return new MalformedXml(shown, this.#where());
  }

  /** At most five listeners: each is a property of the parser, and a sixth halves the speed of reading in V8. */
  #listen(): void {
    readAttributes(this.#parser, (name, value) => {
      if (this.#namespaces.attributeCount === mostAttributes) {
        const message = `An XML element has more than ${formatCount(mostAttributes)} attributes.`;
        throw new ReportError('too-many-attributes', message, this.#where());
      }
      this.#namespaces.addAttribute(name, value);
    });
    this.#parser.on('opentag', ({ name }) => {
      const { element, attributes } = this.#namespaces.open(name);
      this.#open(startElement(element, attributes, this.#resolve));
    });
    this.#parser.on('closetag', () => {
      this.#close();
      this.#namespaces.close();
    });
    this.#parser.on('text', (text) => this.#readText(text));
    this.#parser.on('cdata', (text) => this.#readText(text));
  }

  #readText(text: string): void {
    this.#silence = 0;
    this.#tree?.text(text);
    const frame = this.#frames.at(-1);
    if (frame?.intent === true && this.#intent.length < longestIntent) this.#intent += text;
    if (frame?.content === true && !frame.hasText) frame.hasText = text.trim() !== '';
    const construct = frame?.construct;
    if (construct !== undefined && construct.ordinal === undefined && text.trim() !== '')
      this.#define(construct);
  }

  #open(start: StartElement): void {
    this.#silence = 0;
    if (this.#frames.length >= deepestXml) {
      throw new ReportError(
        'too-deep',
        `The XML is nested deeper than ${formatCount(deepestXml)} levels.`,
        this.#where(),
      );
    }
    const parent = this.#frames.at(-1);
    if (parent === undefined) this.#content.openRoot(start);
    if (parent?.construct !== undefined) this.#defineByChild(parent, parent.construct, start);
    const { step, position } =
      parent === undefined ? { step: start.name, position: 1 } : this.#positions.next(parent, start.name);
    const version = this.#content.versionIn(start, parent);
    const frame: Frame = {
      step,
      local: start.local,
      position,
      children: 0,
      firstChild: '',
      firstChildren: 0,
      otherChildren: undefined,
      version,
      scope: parent?.scope ?? 'list',
      content: isTaxiiContent(start.uri, start.local),
      hasText: false,
      path: undefined,
      construct: undefined,
      tlp: parent?.tlp,
      marked: parent?.marked,
      handling:
        start.local === 'Handling' && version !== undefined && isMarking(start, parent)
          ? this.#keep(start)
          : undefined,
      intent: start.local === 'Package_Intent' && version !== undefined && hasIntentVocabulary(start),
    };
    if (version !== undefined) this.#enter(start, frame);
    // Every element inside a kept one is part of its tree; `#keep` has added those that begin one.
    if (frame.construct?.element === undefined && frame.handling === undefined) this.#tree?.open(start);
    this.#frames.push(frame);
    if (frame.marked !== undefined && version !== undefined) this.#markPart(labelOf(frame.marked, start));
  }

  /** An element of a package: what it defines, and where its children are. */
  #enter(start: StartElement, frame: Frame): void {
    const definition = definitionOf(start, frame.scope, this.#frames.at(-1)?.local);
    frame.scope = scopeInside(start, frame.scope, definition);
    if (definition === undefined) return;
    const { id, idref } = start;
    if (idref !== undefined) return;
    const location = locationOf(this.#frames, frame);
    this.#refuseLong('path of an XML element', location);
    if (id?.startsWith('{') === true && id.length > longestLocation)
      this.#refuseLong('namespace of an id', id.slice(1, id.indexOf('}')));
    const isKept = definition.kind !== undefined && isMappedKind(definition.kind);
    const element = isKept ? this.#keep(start) : undefined;
    const construct = {
      ...definition,
      id,
      location,
      element,
      ordinal: undefined,
    };
    frame.construct = construct;
    if (id !== undefined) this.#define(construct);
    if (this.#marker === undefined && mayMarkContent(definition.kind)) {
      this.#marker = frame;
      this.#held.begin();
    }
  }

  /** Keeps the content of an element, from its start tag on. */
  #keep(start: StartElement): XmlElement {
    this.#tree ??= new ConstructTree();
    return this.#tree.open(start);
  }

  #refuseLong(what: string, text: string): void {
    if (text.length <= longestLocation) return;
    throw new ReportError(
      'too-large',
      `The ${what} is longer than ${formatCount(longestLocation)} characters.`,
      this.#where(),
    );
  }

  /** The first child makes an element without an id a definition, or shows that it is a relationship. */
  #defineByChild(frame: Frame, construct: Construct, child: StartElement): void {
    const isUndecided = construct.ordinal === undefined && construct.mayBeRelationship;
    if (isUndecided && isRelationship(frame.local, child)) {
      frame.construct = undefined;
      if (this.#marker === frame) this.#marker = undefined;
    } else this.#define(construct);
  }

  /** The construct is a definition: it has its location among the objects of the file. */
  #define(construct: Construct): void {
    if (construct.ordinal !== undefined) return;
    construct.ordinal = this.#ordinal;
    this.#ordinal += 1;
    if (construct.element === undefined) this.#write(construct, unmapped(unmappedReason(construct.type)));
    else if (this.#tree?.tooLarge === true) this.#failOpen();
  }

  #close(): void {
    this.#silence = 0;
    const frame = this.#frames.pop();
    if (frame !== undefined) this.#positions.close(frame);
    if (frame?.intent === true) {
      if (!isPackageIntent(this.#intent))
        this.#writer.warn('package-intent', locationOf(this.#frames, frame));
      this.#intent = '';
    }
    if (frame?.content === true) this.#content.closeContent(frame);
    if (frame?.construct?.element !== undefined)
      this.#finish(frame.construct, frame.construct.element, frame.tlp);
    if (frame?.handling !== undefined) this.#mark(frame.handling, locationOf(this.#frames, frame));
    if (this.#marker === frame) {
      this.#marker = undefined;
      this.#hasReleased = false;
    }
    const tree = this.#tree;
    if (tree?.close() === true) {
      this.#tree = undefined;
      this.#held.grow(tree.size);
    }
    if (!this.#held.isEmpty && this.#tree === undefined) this.#releaseClosed();
  }

  /** A header or the `Handling` of a construct has been read: its labels apply to what it is in. */
  #mark(handling: XmlElement, location: string): void {
    const parent = this.#frames.at(-1);
    if (parent?.construct !== undefined)
      return this.#markConstruct(parent, parent.construct, constructTlp(handling));
    const outer = this.#frames.slice(0, -1);
    const marked = outer.at(-1);
    if (marked === undefined) return;
    const { whole, parts, unclear } = headerMarking(
      handling,
      outer.map(({ local }) => local),
    );
    const found = addParts(marked.marked, parts, this.#resolve);
    marked.marked = found.marked;
    const decided = strictestTlp([marked.tlp, whole]);
    marked.tlp = strictestTlp([decided, unclear, found.leftOver]);
    if (marked.tlp !== decided) this.#writer.warn('marking-unclear', location);
  }

  /** The innermost open element has a label: it applies to the construct that the element is a part of. */
  #markPart(label: string | undefined): void {
    if (label === undefined) return;
    let at = this.#frames.length - 1;
    while (at > 0 && this.#frames[at]?.construct === undefined && this.#frames[at - 1]?.scope !== 'list')
      at -= 1;
    for (const frame of this.#frames.slice(at)) {
      // Before it is a definition it contains nothing.
      if (frame.construct?.ordinal !== undefined) this.#markConstruct(frame, frame.construct, label);
      frame.tlp = strictestTlp([frame.tlp, label]);
    }
  }

  /** Labels a construct, and the constructs inside it that have been read. */
  #markConstruct(frame: Frame, { ordinal = 0, location }: Construct, label: string | undefined): void {
    const tlp = strictestTlp([frame.tlp, label]);
    if (tlp === undefined || tlp === frame.tlp) return;
    frame.tlp = tlp;
    if (this.#hasReleased) this.#writer.warn('marking-late', location);
    this.#held.label(ordinal, tlp);
  }

  #finish(construct: Construct, element: XmlElement, tlp: string | undefined): void {
    if (construct.ordinal === undefined || construct.kind === undefined) return;
    if (this.#tree?.tooLarge === true) return this.#write(construct, tooLarge);
    const result = mapConstruct(construct.kind, element, {
      fileHash: this.#fileHash,
      tlp,
      nextNumber: (label) => this.#nextNumber(label),
      warn: (code) => this.#writer.warn(code, construct.location),
    });
    this.#write(construct, result);
  }

  #write(construct: Construct, result: MappedObject): void {
    const object = readObject(construct, this.#frames.at(-1)?.version);
    if (this.#mustHold(result)) this.#held.add(object, result);
    else this.#writer.write(object, result);
    if (this.#tree?.tooLarge === true) this.#failOpen();
  }

  /** Whether an outer construct comes first in the file, or may give the records of the result a label. */
  #mustHold({ records }: MappedObject): boolean {
    if (this.#tree !== undefined) return true;
    return this.#marker !== undefined && (records.length > 0 || !this.#held.isEmpty);
  }

  /**
   * In a tree that is too large every construct fails, so that the open ones are written before they close: what is inside
   * them would wait in memory until then.
   */
  #failOpen(): void {
    for (const { construct, version } of this.#frames) {
      if (construct?.element === undefined || construct.ordinal === undefined) continue;
      construct.element = undefined;
      this.#held.add(readObject(construct, version), tooLarge);
    }
    this.#release();
  }

  /** No kept construct is open: writes those that are held, unless a label may follow and they are not too many. */
  #releaseClosed(): void {
    if (this.#marker === undefined || this.#held.isFull) this.#release();
  }

  #release(): void {
    this.#hasReleased ||= this.#marker !== undefined;
    this.#held.release();
  }

  #nextNumber(label: AnonymousLabel): number {
    const number = this.#numbers.get(label) ?? 0;
    this.#numbers.set(label, number + 1);
    return number;
  }

  #where(): string {
    return `line ${this.#parser.line}, column ${this.#parser.column}`;
  }
}
