import {
  constructKind,
  failed,
  isMappedKind,
  isPackageIntent,
  isStixPackage,
  isTaxiiContent,
  mapConstruct,
  unmapped,
  unmappedReason,
  xmlRoot,
  type AnonymousLabel,
  type ConstructKind,
  type MappedObject,
  type XmlElement,
} from '@riskboard/domain';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { ConstructTree, identityOf } from './construct-tree.ts';
import { PrologGuard } from './prolog-guard.ts';
import { ReportError } from '../report-error.ts';
import type { ReportSummary } from '../report-sink.ts';
import type { ReadObject, ReportWriter } from '../report-writer.ts';
import { XmlText } from './xml-text.ts';

/** Without a cap, namespaces make depth quadratic: 100,000 levels take minutes. */
export const deepestXml = 256;
export const mostAttributes = 1000;
/** Characters between two elements or texts: a comment of that size is no report's. */
const longestToken = 64 * 1024 * 1024;

const knownVersions: ReadonlySet<string> = new Set(['1.0', '1.0.1', '1.1', '1.1.1', '1.2', 'stix-1.2.1']);

interface Frame {
  readonly step: string;
  /** Position among the siblings of the same name, from 1. */
  readonly position: number;
  /** Children seen, by name; made with the first child. */
  children: Map<string, number> | undefined;
  /** Version of the package that this element is in; undefined outside of STIX. */
  readonly version: string | null | undefined;
  construct: Construct | undefined;
  /** A `Package_Intent` with a vocabulary, whose text is to be checked. */
  readonly intent: boolean;
  /** `Content` of a TAXII block, where a package has to follow. */
  readonly content: boolean;
}

/** A construct that is open. */
interface Construct {
  readonly kind: ConstructKind;
  readonly id: string | undefined;
  readonly location: string;
  /** Kept only for the kinds that give records. */
  readonly element: XmlElement | undefined;
  /** Set once it is known to be a definition: by its id, else by its first content. */
  ordinal: number | undefined;
}

/** The location of a new child among its siblings of the same name, from 1. */
function nextPosition(parent: Frame, name: string): number {
  parent.children ??= new Map();
  const position = (parent.children.get(name) ?? 0) + 1;
  parent.children.set(name, position);
  return position;
}

function hasIntentVocabulary(tag: SaxesTagNS): boolean {
  const types = Object.values(tag.attributes).filter(({ local }) => local === 'type');
  return types.some(({ value }) => value.includes('PackageIntentVocab'));
}

/** Reads STIX 1.x XML: a package, a fragment, or the content blocks of a TAXII 1.x message. */
export class XmlReader {
  readonly #writer: ReportWriter;
  readonly #fileHash: string;
  readonly #text: XmlText;
  readonly #guard = new PrologGuard();
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #resolve = (prefix: string): string | undefined => this.#parser.resolve(prefix);

  readonly #frames: Frame[] = [];
  #tree: ConstructTree | undefined;
  /** Objects inside the outermost open construct, which closes last but comes first in the file. */
  #held: { object: ReadObject; result: MappedObject }[] = [];
  #intent = '';

  #wrapper = '';
  #role: 'package' | 'taxii' | 'fragment' = 'package';
  readonly #versions = new Set<string>();
  #packages = 0;
  #ordinal = 0;
  readonly #numbers = new Map<AnonymousLabel, number>();

  #attributes = 0;
  #silence = 0;

  constructor(writer: ReportWriter, fileHash: string, head: Uint8Array) {
    this.#writer = writer;
    this.#fileHash = fileHash;
    this.#text = new XmlText(head);
    this.#listen();
  }

  push(bytes: Uint8Array): void {
    this.#feed(this.#text.decode(bytes));
  }

  end(): ReportSummary {
    this.#feed(this.#text.end());
    this.#closeParser();
    if (this.#role === 'taxii' && this.#packages === 0) {
      throw new ReportError('no-stix-content', 'No STIX content: the TAXII message holds no STIX package.');
    }
    if (this.#role === 'fragment') this.#writer.warn('fragment');
    if (this.#writer.objectTotal === 0) this.#writer.warn('nothing-to-extract');
    const versions = [...this.#versions].toSorted();
    if (versions.some((version) => !knownVersions.has(version))) this.#writer.warn('version-unknown');
    const stixVersion = versions.length === 0 ? null : versions.join(',');
    return this.#writer.summary({ media: 'xml', wrapper: this.#wrapper, stixVersion });
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
        'The XML holds a text or comment of more than 64 MiB.',
        this.#where(),
      );
    }
  }

  /** Without a listener for errors, saxes throws its own: the text is malformed. */
  #fault(cause: unknown): unknown {
    if (cause instanceof ReportError || !(cause instanceof Error)) return cause;
    const message = /^\d+:\d+: (.*)$/s.exec(cause.message)?.[1];
    return message === undefined
      ? cause
      : new ReportError('malformed', `Malformed XML: ${message}`, this.#where());
  }

  /** Five listeners and no more: each is a property of the parser, and with a sixth V8 reads half as fast. */
  #listen(): void {
    this.#parser.on('attribute', () => {
      this.#attributes += 1;
      if (this.#attributes <= mostAttributes) return;
      const message = `An XML element has more than ${mostAttributes} attributes.`;
      throw new ReportError('too-many-attributes', message, this.#where());
    });
    this.#parser.on('opentag', (tag) => this.#open(tag));
    this.#parser.on('closetag', () => this.#close());
    this.#parser.on('text', (text) => this.#content(text));
    this.#parser.on('cdata', (text) => this.#content(text));
  }

  #content(text: string): void {
    this.#silence = 0;
    this.#tree?.text(text);
    if (this.#frames.at(-1)?.intent === true) this.#intent += text;
  }

  #open(tag: SaxesTagNS): void {
    this.#silence = 0;
    this.#attributes = 0;
    if (this.#frames.length >= deepestXml) {
      throw new ReportError('too-deep', `The XML is nested deeper than ${deepestXml} levels.`, this.#where());
    }
    const parent = this.#frames.at(-1);
    if (parent === undefined) this.#openRoot(tag);
    if (parent?.construct !== undefined) this.#define(parent.construct);
    const position = parent === undefined ? 1 : nextPosition(parent, tag.name);
    const version = this.#versionIn(tag, parent);
    const frame: Frame = {
      step: tag.name,
      position,
      children: undefined,
      version,
      content: isTaxiiContent(tag.uri, tag.local),
      construct: undefined,
      intent: tag.local === 'Package_Intent' && version !== undefined && hasIntentVocabulary(tag),
    };
    if (version !== undefined) frame.construct = this.#construct(tag, frame);
    // Every element inside a kept construct is part of its tree; #construct has added its own.
    if (frame.construct?.element === undefined) this.#tree?.open(tag, this.#resolve);
    this.#frames.push(frame);
  }

  #openRoot(tag: SaxesTagNS): void {
    const root = xmlRoot(tag.uri, tag.local);
    if ('refusal' in root) throw ReportError.of(root.refusal);
    this.#wrapper = root.wrapper;
    this.#role = root.role;
    if (root.role === 'taxii' && tag.attributes['more']?.value === 'true')
      this.#writer.warn('incomplete-page');
  }

  /** The STIX version in force: of the nearest package, null in a fragment, undefined outside of STIX. */
  #versionIn(tag: SaxesTagNS, parent: Frame | undefined): string | null | undefined {
    const isPackage = isStixPackage(tag.uri, tag.local);
    if (!isPackage) {
      if (parent === undefined && this.#role === 'fragment') return null;
      if (parent?.content === true) this.#writer.warn('content-not-stix', this.#path(parent));
      return parent?.version;
    }
    this.#packages += 1;
    const version = tag.attributes['version']?.value.trim() || (parent?.version ?? null);
    if (version !== null) this.#versions.add(version);
    return version;
  }

  #construct(tag: SaxesTagNS, frame: Frame): Construct | undefined {
    const kind = this.#kindOf(tag);
    if (kind === undefined) return undefined;
    const { id, idref } = identityOf(tag, this.#resolve);
    if (idref !== undefined) return undefined;
    let element: XmlElement | undefined;
    if (isMappedKind(kind)) {
      this.#tree ??= new ConstructTree();
      element = this.#tree.open(tag, this.#resolve);
    }
    const construct: Construct = { kind, id, location: this.#path(frame), element, ordinal: undefined };
    if (id !== undefined) this.#define(construct);
    return construct;
  }

  #kindOf(tag: SaxesTagNS): ConstructKind | undefined {
    if (this.#frames.length > 0 || this.#role !== 'fragment') return constructKind(tag.uri, tag.local);
    const root = xmlRoot(tag.uri, tag.local);
    return 'fragment' in root ? root.fragment : undefined;
  }

  /** The construct is a definition: it has its location among the objects of the file. */
  #define(construct: Construct): void {
    if (construct.ordinal !== undefined) return;
    construct.ordinal = this.#ordinal;
    this.#ordinal += 1;
    if (construct.element === undefined) this.#write(construct, unmapped(unmappedReason(construct.kind)));
  }

  #close(): void {
    this.#silence = 0;
    const frame = this.#frames.pop();
    if (frame?.intent === true) {
      if (!isPackageIntent(this.#intent)) this.#writer.warn('package-intent', this.#path(frame));
      this.#intent = '';
    }
    if (frame?.construct?.element !== undefined) this.#finish(frame.construct, frame.construct.element);
    if (this.#tree?.close() !== true) return;
    this.#tree = undefined;
    this.#release();
  }

  #finish(construct: Construct, element: XmlElement): void {
    if (element.text.trim() !== '') this.#define(construct);
    if (construct.ordinal === undefined) return;
    if (this.#tree?.tooLarge === true) {
      this.#write(construct, failed('The construct is larger than 32 MiB'));
      return;
    }
    const result = mapConstruct(construct.kind, element, {
      fileHash: this.#fileHash,
      nextNumber: (label) => this.#nextNumber(label),
      warn: (code) => this.#writer.warn(code, construct.location),
    });
    this.#write(construct, result);
  }

  #write({ kind, id, location, ordinal = 0 }: Construct, result: MappedObject): void {
    const stixVersion = this.#frames.at(-1)?.version ?? null;
    const object = { ordinal, type: kind, stixId: id ?? null, location, stixVersion };
    if (this.#tree === undefined) this.#writer.write(object, result);
    else this.#held.push({ object, result });
  }

  #release(): void {
    const held = this.#held.toSorted((a, b) => a.object.ordinal - b.object.ordinal);
    this.#held = [];
    for (const { object, result } of held) this.#writer.write(object, result);
  }

  #nextNumber(label: AnonymousLabel): number {
    const number = this.#numbers.get(label) ?? 0;
    this.#numbers.set(label, number + 1);
    return number;
  }

  #path(last: Pick<Frame, 'step' | 'position'>): string {
    const frames = this.#frames.at(-1) === last ? this.#frames : [...this.#frames, last];
    const steps = frames.map(({ step, position }) => (position > 1 ? `${step}[${position}]` : step));
    const isLast = last.position === 1 && frames.length > 1;
    return `/${steps.join('/')}${isLast ? '[1]' : ''}`;
  }

  #where(): string {
    return `line ${this.#parser.line}, column ${this.#parser.column}`;
  }
}
