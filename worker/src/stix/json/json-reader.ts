import {
  type JsonObject,
  failed,
  isObject,
  isStixObject,
  jsonRefusal,
  mapObject,
  textAt,
  unstorableReason,
  cleanText,
} from '@riskboard/domain';
import { findJsonFault } from './json-error.ts';
import { JsonSlicer, type JsonHandler, type JsonSlice } from './json-slicer.ts';
import { ReportError } from '../report-error.ts';
import type { ReportSummary } from '../report-sink.ts';
import type { ReportWriter } from '../report-writer.ts';
import { Utf8Check } from '../utf8-check.ts';

const problems = {
  'too-deep': 'The object is nested deeper than 128 levels',
  'too-large': 'The object is larger than 32 MiB',
} as const;

/** Members of a TAXII 2.1 envelope, section 3.7; one without objects is a legal empty answer. */
const envelopeKeys: ReadonlySet<string> = new Set(['more', 'next', 'objects']);
const knownVersions: ReadonlySet<string> = new Set(['2.0', '2.1']);
/** Root members that are kept: a bundle has five, a single object some dozens. */
const mostMembers = 10_000;
const largestRoot = 32 * 1024 * 1024;
/** Characters of a version that is not known; known ones have three. */
const longestVersion = 20;

/** NUL or a surrogate, escaped: the only way into the text of valid UTF-8. The object itself shows whether a pair is whole. */
const forbiddenEscape = /\\u(?:0000|[dD][89a-fA-F])/;
const mayBeUnstorable = ({ text = '' }: JsonSlice): boolean => forbiddenEscape.test(text);

/** Whether the object has a type and an id that cannot be stored, so that they cannot show whether it is STIX. */
function hasForbiddenIdentity(object: JsonObject): boolean {
  const identity = [textAt(object, 'type'), textAt(object, 'id')].filter((text) => text !== undefined);
  return identity.length === 2 && identity.some((text) => cleanText(text) !== text);
}

/** Reads STIX 2.x JSON: bundle, TAXII envelope, list of objects or a single object. */
export class JsonReader implements JsonHandler {
  readonly #writer: ReportWriter;
  readonly #slicer = new JsonSlicer(this);
  readonly #utf8 = new Utf8Check();

  /** Without a prototype, so that a member named `__proto__` is one like all others. */
  readonly #root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  readonly #names = new Set<string>();
  #name = '';
  #rootSize = 0;
  #rootProblem: JsonSlice['problem'];
  #rootMayBeUnstorable = false;
  #listIn: 'none' | 'root' | 'object' = 'none';

  #ordinal = 0;
  #stixObjects = 0;
  readonly #versions = new Set<string>();

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
    const { wrapper, stixVersion } = this.#verdict();
    if (this.#root['more'] === true) this.#writer.warn('incomplete-page');
    if (this.#writer.objectTotal === 0) this.#writer.warn('nothing-to-extract');
    if (stixVersion !== null && !knownVersions.has(stixVersion)) this.#writer.warn('version-unknown');
    return this.#writer.summary({ media: 'json', wrapper, stixVersion });
  }

  name(slice: JsonSlice): boolean {
    if (slice.problem !== undefined)
      throw new ReportError('too-large', 'A property name is larger than 32 MiB.');
    const name = String(this.#parse(slice));
    this.#rootMayBeUnstorable ||= mayBeUnstorable(slice);
    if (name === 'objects' && this.#names.has(name)) {
      const location = `line ${slice.at.line}, column ${slice.at.column}`;
      throw new ReportError('malformed', 'Malformed STIX: "objects" occurs twice in the root', location);
    }
    this.#name = name;
    this.#names.add(name);
    if (this.#names.size > mostMembers) {
      throw new ReportError('too-large', `The root object has more than ${mostMembers} members.`);
    }
    return name === 'objects';
  }

  member(slice: JsonSlice): void {
    this.#rootSize += slice.text?.length ?? 0;
    const problem = this.#rootSize > largestRoot ? 'too-large' : slice.problem;
    this.#rootMayBeUnstorable ||= mayBeUnstorable(slice);
    if (problem !== undefined) this.#rootProblem ??= problem;
    else this.#root[this.#name] = this.#parse(slice);
  }

  list(): void {
    this.#listIn = this.#names.size === 0 ? 'root' : 'object';
  }

  element(slice: JsonSlice): void {
    const location = this.#listIn === 'root' ? `/${this.#ordinal}` : `/objects/${this.#ordinal}`;
    if (slice.problem !== undefined) this.#fail(location, problems[slice.problem]);
    else this.#object(this.#parse(slice), location, mayBeUnstorable(slice));
  }

  #object(value: unknown, location: string, mayBeUnstorable: boolean): void {
    if (!isObject(value)) return this.#fail(location, 'The list holds something that is no object');
    const reason = mayBeUnstorable ? unstorableReason(value) : undefined;
    if (isStixObject(value) || hasForbiddenIdentity(value)) this.#stixObjects += 1;
    const own = textAt(value, 'spec_version');
    if (own !== undefined) this.#versions.add(own);
    const found = {
      ordinal: this.#ordinal,
      type: textAt(value, 'type') ?? '(none)',
      stixId: textAt(value, 'id') ?? null,
      location,
      stixVersion: own ?? this.#rootVersion(),
    };
    this.#ordinal += 1;
    const result =
      reason === undefined ? mapObject(value, (code) => this.#writer.warn(code, location)) : failed(reason);
    this.#writer.write(found, result);
  }

  #fail(location: string, reason: string): void {
    const found = {
      ordinal: this.#ordinal,
      type: '(none)',
      stixId: null,
      location,
      stixVersion: this.#rootVersion(),
    };
    this.#ordinal += 1;
    this.#writer.write(found, failed(reason));
  }

  #rootVersion(): string | null {
    const version = this.#root['spec_version'];
    return typeof version === 'string' ? cleanText(version.slice(0, longestVersion)) : null;
  }

  /** @throws ReportError with line and column within the file */
  #parse({ text = '', at }: JsonSlice): unknown {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      const { offset, message } = findJsonFault(text);
      const before = text.slice(0, offset);
      const lines = before.split('\n');
      const column = (lines.at(-1) ?? '').length + (lines.length === 1 ? at.column : 1);
      throw new ReportError('malformed', message, `line ${at.line + lines.length - 1}, column ${column}`);
    }
  }

  /** What the file is, by its root (mapping section 1). */
  #verdict(): { wrapper: string; stixVersion: string | null } {
    if (this.#listIn === 'root') {
      this.#requireStix();
      return { wrapper: 'object-list', stixVersion: this.#objectsVersion() };
    }
    const type = this.#root['type'];
    if (type === 'bundle') return { wrapper: 'bundle', stixVersion: this.#bundleVersion() };
    const envelope = this.#listIn === 'object' || [...this.#names].every((name) => envelopeKeys.has(name));
    if (type === undefined && envelope) {
      this.#requireStix();
      return { wrapper: 'taxii2.1-envelope', stixVersion: this.#objectsVersion() };
    }
    const single = isStixObject(this.#root) || hasForbiddenIdentity(this.#root);
    if (this.#listIn === 'none' && single) return this.#single();
    throw ReportError.of(jsonRefusal(this.#names));
  }

  /** A list of which nothing is STIX is another format, not a report without records. */
  #requireStix(): void {
    if (this.#ordinal > 0 && this.#stixObjects === 0) throw ReportError.of(jsonRefusal(this.#names));
  }

  #single(): { wrapper: string; stixVersion: string } {
    if (this.#rootProblem === undefined) this.#object(this.#root, '', this.#rootMayBeUnstorable);
    else this.#fail('', problems[this.#rootProblem]);
    return { wrapper: 'single-object', stixVersion: this.#rootVersion() ?? '2.0' };
  }

  /** An object without spec_version outside a bundle is by definition STIX 2.0. */
  #objectsVersion(): string | null {
    if (this.#ordinal === 0) return null;
    return this.#versions.has('2.1') ? '2.1' : '2.0';
  }

  #bundleVersion(): string | null {
    const own = this.#rootVersion();
    if (own !== null) return own;
    if (this.#versions.has('2.1')) return '2.1';
    if (this.#versions.has('2.0')) return '2.0';
    if (this.#ordinal > 0) this.#writer.warn('no-spec-version');
    return this.#ordinal > 0 ? '2.1' : null;
  }
}
