import {
  addObjectVersion,
  addVersion,
  cleanText,
  failed,
  findJsonFault,
  holdsObjects,
  isEnvelope,
  isManifestEntry,
  isObject,
  isStixObject,
  isTrueAt,
  joinVersions,
  type JsonObject,
  jsonRefusal,
  jsonVersion,
  manifestRefusal,
  mapObject,
  type MappedObject,
  noListMessage,
  objectsVersion,
  positionIn,
  statedVersion,
  textAt,
  unstorableReason,
  formatCount,
} from '@riskboard/domain';
import {
  checkGrammar,
  JsonSlicer,
  JsonSyntaxError,
  type JsonHandler,
  type JsonSlice,
  mostValues,
} from '@riskboard/json';
import { identityIn } from './identity.ts';
import { JsonContainer, mayBeUnstorable, mostMembers } from './json-container.ts';
import { Markings } from './markings.ts';
import { ReportError } from '../report-error.ts';
import type { ReportSummary } from '../report-sink.ts';
import type { ReportWriter } from '../report-writer.ts';
import { Utf8Check } from '../utf8-check.ts';

const problems = {
  'too-deep': 'The object is nested deeper than 128 levels',
  'too-large': 'The object is larger than 32 MiB',
  'too-many-values': `The object has too many values: more than ${formatCount(mostValues)} commas and opening brackets`,
} as const;

const knownVersions: ReadonlySet<string> = new Set(['2.0', '2.1']);

/** Whether the object has a type and an id that cannot be stored, so that they cannot show whether it is STIX. */
function hasForbiddenIdentity(object: JsonObject): boolean {
  const identity = [textAt(object, 'type'), textAt(object, 'id')].filter((text) => text !== undefined);
  return identity.length === 2 && identity.some((text) => cleanText(text) !== text);
}

const looksLikeStix = (object: JsonObject): boolean => isStixObject(object) || hasForbiddenIdentity(object);

/** A root that is a list. */
interface RootList {
  elements: number;
  /** Of its bundles and envelopes. */
  versions: Set<string>;
  /** Objects outside of bundles and envelopes, together. */
  loose: JsonContainer;
}

/** Reads STIX 2.x JSON: a bundle, a TAXII envelope, a single object, or a list of those. */
export class JsonReader implements JsonHandler {
  readonly #writer: ReportWriter;
  readonly #slicer = new JsonSlicer(this);
  readonly #utf8 = new Utf8Check();
  readonly #markings = new Markings();

  /** The root object, or the current element of the root list. */
  #container = new JsonContainer('');
  /** Set when the root is a list: facts about its elements. */
  #list: RootList | undefined;

  #ordinal = 0;
  /** Objects with a type and an id of STIX, and bundles of a list. */
  #stixObjects = 0;
  /** One of the other objects is an entry of a TAXII manifest. */
  #isManifest = false;

  constructor(writer: ReportWriter) {
    this.#writer = writer;
  }

  push(bytes: Buffer): void {
    this.#utf8.push(bytes);
    this.#slicer.push(bytes);
  }

  end(): ReportSummary {
    this.#utf8.end();
    this.#slicer.end();
    const { wrapper, stixVersion } =
      this.#list === undefined ? this.#rootVerdict() : this.#listVerdict(this.#list);
    this.#markings.warn(this.#writer);
    if (this.#writer.objectTotal === 0) this.#writer.warn('nothing-to-extract');
    const versions = stixVersion?.split(',') ?? [];
    if (versions.some((version) => !knownVersions.has(version))) this.#writer.warn('version-unknown');
    return this.#writer.summary({ media: 'json', wrapper, stixVersion });
  }

  open(): void {
    if (this.#list === undefined) return;
    this.#container = new JsonContainer(`/${this.#list.elements}`);
    this.#list.elements += 1;
  }

  name(slice: JsonSlice): boolean {
    if (slice.problem !== undefined)
      throw new ReportError('too-large', 'A property name is larger than 32 MiB.');
    const name = String(this.#parse(slice));
    const container = this.#container;
    if (name === 'objects' && container.isCut) {
      const message = `Malformed STIX: "objects" occurs twice in ${container.location === '' ? 'the root' : container.location}`;
      throw new JsonSyntaxError(message, slice.at);
    }
    container.begin(name, slice);
    if (this.#list === undefined && container.hasTooManyMembers)
      throw new ReportError(
        'too-large',
        `The root object has more than ${formatCount(mostMembers)} members.`,
      );
    return name === 'objects' && holdsObjects(container.type);
  }

  member(slice: JsonSlice): void {
    this.#container.keep(
      slice,
      (value) => this.#parse(value),
      ({ text = '', at }) => checkGrammar(Buffer.from(text), at),
    );
  }

  list(): void {
    if (this.#container.name === 'objects') this.#container.isCut = true;
    else this.#list = { elements: 0, versions: new Set(), loose: new JsonContainer('') };
  }

  element(slice: JsonSlice): void {
    if (!this.#container.isCut) return this.#looseElement(slice);
    const location = `${this.#container.location}/objects/${this.#container.elements}`;
    this.#container.elements += 1;
    if (slice.problem !== undefined)
      this.#refuse(location, slice.problem, identityIn(slice.bytes ?? Buffer.alloc(0)));
    else this.#object(this.#parse(slice), location, mayBeUnstorable(slice));
  }

  /** An element of the root list that is not an object. */
  #looseElement(slice: JsonSlice): void {
    const location = `/${this.#list?.elements ?? 0}`;
    if (this.#list !== undefined) {
      this.#list.elements += 1;
      this.#list.loose.elements += 1;
    }
    if (slice.problem === undefined) this.#parse(slice);
    this.#fail(location, 'The list contains a value that is not an object');
  }

  /** The root or an element of the root list is complete; only the end of the file decides about a root. */
  close(): void {
    if (this.#list === undefined) return;
    const container = this.#container;
    this.#container = new JsonContainer('');
    const { type, names, isCut, noList, location } = container;
    const isBundle = type === 'bundle';
    if (isBundle) this.#stixObjects += 1;
    const hasNoList = noList !== undefined && holdsObjects(type);
    if (!hasNoList && (isBundle || (type === undefined && (isCut || isEnvelope(names)))))
      return addVersion(this.#list.versions, this.#finish(container));
    this.#list.loose.elements += 1;
    if (hasNoList) return this.#fail(location, noListMessage(noList.opens), container.value);
    addObjectVersion(this.#list.loose.versions, container.stated);
    this.#single(container);
  }

  #object(value: unknown, location: string, mayBeUnstorable: boolean): void {
    if (!isObject(value)) return this.#fail(location, 'The list contains a value that is not an object');
    const reason = mayBeUnstorable ? unstorableReason(value) : undefined;
    if (looksLikeStix(value)) this.#stixObjects += 1;
    else this.#isManifest ||= isManifestEntry(value);
    const own = textAt(value, 'spec_version');
    addObjectVersion(this.#container.versions, own);
    // The version of a single object is the one of the file.
    if (own !== undefined && !knownVersions.has(own) && location !== '') {
      this.#container.hasUnknownVersion = true;
      this.#writer.warn('version-unknown', location);
    }
    const found = {
      ordinal: this.#ordinal,
      type: textAt(value, 'type') ?? '(none)',
      stixId: textAt(value, 'id') ?? null,
      location,
      stixVersion: own === undefined ? this.#container.stated : statedVersion(own),
    };
    this.#ordinal += 1;
    this.#writer.write(found, reason === undefined ? this.#map(value, location) : failed(reason));
  }

  #map(object: JsonObject, location: string): MappedObject {
    if (object['type'] === 'marking-definition') this.#markings.define(object);
    return mapObject(object, {
      tlpOfMarking: (id) => this.#markings.tlpOf(id, location),
      warn: (code) => this.#writer.warn(code, location),
    });
  }

  /** An object that cannot be read; its type and id show whether it is STIX. */
  #refuse(location: string, problem: keyof typeof problems, identity: JsonObject): void {
    if (looksLikeStix(identity)) this.#stixObjects += 1;
    this.#fail(location, problems[problem], identity);
  }

  #fail(location: string, reason: string, identity: JsonObject = {}): void {
    const found = {
      ordinal: this.#ordinal,
      type: textAt(identity, 'type') ?? '(none)',
      stixId: textAt(identity, 'id') ?? null,
      location,
      stixVersion: this.#container.stated,
    };
    this.#ordinal += 1;
    this.#writer.write(found, failed(reason));
  }

  /** @throws JsonSyntaxError */
  #parse({ text = '', at, object }: JsonSlice): unknown {
    if (object !== undefined) return object;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      const { offset, message } = findJsonFault(text);
      throw new JsonSyntaxError(message, at, positionIn(text, offset));
    }
  }

  /** The kind of a file whose root is an object (mapping section 1). */
  #rootVerdict(): { wrapper: string; stixVersion: string | null } {
    const root = this.#container;
    const { names, isCut, noList, value } = root;
    const { type } = value;
    const isBundle = type === 'bundle';
    if ((isBundle || type === undefined) && noList !== undefined)
      throw new JsonSyntaxError(noListMessage(noList.opens), noList.at);
    if (isBundle) return { wrapper: 'bundle', stixVersion: this.#finish(root) };
    if (type === undefined && (isCut || isEnvelope(names))) {
      this.#requireStix(names);
      return { wrapper: 'taxii2.1-envelope', stixVersion: this.#finish(root) };
    }
    if (isCut || !looksLikeStix(value)) throw ReportError.of(jsonRefusal(names));
    this.#single(root);
    return { wrapper: 'single-object', stixVersion: jsonVersion(root.facts) };
  }

  #listVerdict(list: RootList): { wrapper: string; stixVersion: string | null } {
    this.#requireStix([]);
    return {
      wrapper: 'object-list',
      stixVersion: joinVersions([...list.versions, objectsVersion(list.loose)]),
    };
  }

  /** The version of a bundle or envelope whose objects have been read, and its warnings. */
  #finish(container: JsonContainer): string | null {
    const { type, stated, versions, hasUnknownVersion, elements, location, value } = container;
    const isSilent = stated === null && !versions.has('2.0') && !versions.has('2.1') && !hasUnknownVersion;
    const at = location === '' ? undefined : location;
    if (type === 'bundle' && isSilent && elements > 0) this.#writer.warn('no-spec-version', at);
    if (isTrueAt(value, 'more')) this.#writer.warn('incomplete-page', at);
    return jsonVersion(container.facts);
  }

  /** A list without any STIX object is another format, not a report without records. */
  #requireStix(names: Iterable<string>): void {
    if (this.#ordinal === 0 || this.#stixObjects > 0) return;
    throw ReportError.of(this.#isManifest ? manifestRefusal() : jsonRefusal(new Set(names)));
  }

  #single(container: JsonContainer): void {
    const { problem, location, value } = container;
    if (problem === undefined) return this.#object(value, location, container.mayBeUnstorable);
    this.#refuse(location, problem, value);
  }
}
