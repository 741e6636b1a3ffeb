import { jsonBytes } from '../json-bytes.ts';
import { decode, endOfString, hasEscape, isText, type Span } from './json-strings.ts';
import {
  addObjectVersion,
  addVersion,
  holdsObjects,
  isEnvelope,
  joinVersions,
  jsonVersion,
  objectsVersion,
  statedVersion,
} from './json-version.ts';

/** Greatest nesting depth of an object that is read; JSON.stringify and PostgreSQL allow far more. */
export const deepestJson = 128;
/** Greatest size of an object that is read, in bytes. */
export const largestJson = 32 * 1024 * 1024;

const { space, quote, comma, colon, openList, escape, closeList, openObject, closeObject } = jsonBytes;

/** Bytes of a string that are kept: property names and versions are shorter. */
const longestText = 1024;

/** Levels at which the text of a string is needed. */
type Level = 'container' | 'element';

/** Lengths of the names that matter: `type`, `more` and `next`, `objects`, `spec_version`. */
const nameLengths: Readonly<Record<Level, readonly number[]>> = { container: [4, 7, 12], element: [12] };

const versionName = 'spec_version';
/** Values of `spec_version` that are recognized without being decoded. */
const commonVersions = ['2.1', '2.0'];

/** A bundle, an envelope or a single object while it is scanned. */
class Container {
  type: string | undefined;
  stated: string | null = null;
  readonly versions = new Set<string>();
  elements = 0;
  /** Its `objects` is a list of STIX objects. */
  isCut = false;
  /** Its `objects` is no list. */
  hasNoList = false;
  isEnvelope = true;
}

/** An element of a list of objects: its version counts only if the element can be read. */
interface Element {
  stated: string | undefined;
  start: number;
  deepest: number;
}

/**
 * Finds the STIX version of a JSON report while its bytes arrive, by the rules of the reader. The result is undefined
 * for a file that the reader refuses. Reads only property names and versions, in a fraction of the time of parsing.
 */
export class JsonVersionScan {
  #offset = 0;
  #depth = 0;
  /** Whether the innermost bracket is an object; for each open bracket up to the members of an element. */
  readonly #isObject: boolean[] = [];
  /** Depth of the members of a container: 1, or 2 in a root list. */
  #base = 0;
  #container = new Container();
  #inList = false;
  #element: Element | undefined;

  #inString = false;
  #isEscaped = false;
  /** The bytes of the string, if its text matters. */
  #text: number[] | undefined;
  #expectsName = false;
  #name = '';

  readonly #listVersions = new Set<string>();
  /** The objects of a root list that are neither bundles nor envelopes, together. */
  readonly #loose = new Container();

  /** @param bytes the next bytes of the file, cut anywhere */
  push(bytes: Uint8Array): void {
    const { length } = bytes;
    let index = 0;
    while (index < length) {
      if (this.#inString) index = this.#string(bytes, index);
      else {
        index = this.#skip(bytes, index);
        if (index < length) index = this.#between(bytes, index);
      }
    }
    this.#offset += length;
  }

  /** The version of the file; null when nothing in it has a version. */
  end(): string | null {
    if (this.#base !== 2) return jsonVersion(this.#container);
    return joinVersions([...this.#listVersions, objectsVersion(this.#loose)]);
  }

  /**
   * Skips white space, and inside an element everything but the member `spec_version` and the end of the element:
   * most bytes of a report.
   * @returns the index of the first byte that it has not skipped, or the length
   */
  #skip(bytes: Uint8Array, start: number): number {
    const { length } = bytes;
    const element = this.#element;
    const members = this.#base + 2;
    let depth = this.#depth;
    let index = start;
    if (element === undefined || depth < members) {
      // Indentation is a third of a report.
      while (index < length && (bytes[index] ?? 0) <= space) index += 1;
      return index;
    }
    for (; index < length; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte <= space) continue;
      if (byte === quote) {
        const end = endOfString(bytes, index + 1);
        if (end === length) break;
        if (depth === members && !this.#skipText(element, bytes, { start: index + 1, end })) break;
        index = end;
      } else if (byte === comma) this.#expectsName = true;
      else if (byte === openObject || byte === openList) {
        depth += 1;
        element.deepest = Math.max(element.deepest, depth - members + 1);
      } else if (byte === closeObject || byte === closeList) {
        if (depth === members) break;
        depth -= 1;
        this.#expectsName = false;
      }
    }
    this.#depth = depth;
    return index;
  }

  /** Skips a name or a string of an element. @returns false for one that must be decoded */
  #skipText(element: Element, bytes: Uint8Array, span: Span): boolean {
    if (this.#expectsName) {
      if (span.end - span.start > versionName.length && hasEscape(bytes, span)) return false;
      const isVersion = isText(bytes, span, versionName);
      this.#name = isVersion ? versionName : '';
      // Of members with the same name the last counts.
      if (isVersion) element.stated = undefined;
      this.#expectsName = false;
    } else if (this.#name === versionName) {
      const version = commonVersions.find((common) => isText(bytes, span, common));
      if (version === undefined) return false;
      element.stated = version;
    }
    return true;
  }

  get #level(): Level | undefined {
    if (this.#isObject[this.#depth] !== true) return undefined;
    if (this.#depth === this.#base) return 'container';
    return this.#element !== undefined && this.#depth === this.#base + 2 ? 'element' : undefined;
  }

  /** @returns the index after the string, or after the bytes */
  #string(bytes: Uint8Array, start: number): number {
    const isStart = this.#text?.length === 0 && !this.#isEscaped;
    const { length } = bytes;
    let isEscaped = this.#isEscaped;
    let isPlain = true;
    let index = start;
    for (; index < length; index += 1) {
      const byte = bytes[index];
      if (isEscaped) isEscaped = false;
      else if (byte === escape) {
        isEscaped = true;
        isPlain = false;
      } else if (byte === quote) break;
    }
    this.#isEscaped = isEscaped;
    const isWhole = isStart && isPlain && index < length;
    if (isWhole && this.#expectsName && !this.#mayMatter(index - start)) this.#skipMember();
    else if (this.#text !== undefined && this.#text.length < longestText)
      this.#text.push(...bytes.subarray(start, Math.min(index, start + longestText)));
    if (index === length) return index;
    this.#inString = false;
    this.#endString();
    return index + 1;
  }

  #mayMatter(length: number): boolean {
    const level = this.#level;
    return level !== undefined && nameLengths[level].includes(length);
  }

  /** A member begins whose name does not matter: most do, and need not be decoded. */
  #skipMember(): void {
    this.#text = undefined;
    this.#name = '';
    if (this.#level === 'container') this.#container.isEnvelope = false;
  }

  #endString(): void {
    const level = this.#level;
    const isName = this.#expectsName;
    this.#expectsName = false;
    if (level === undefined || this.#text === undefined) return;
    const text = decode(this.#text);
    this.#text = undefined;
    if (isName) this.#beginMember(level, text);
    else this.#value(level, text);
  }

  #beginMember(level: Level, name: string): void {
    this.#name = name;
    // Of members with the same name the last counts.
    this.#value(level, undefined);
    if (level === 'container' && !isEnvelope([name])) this.#container.isEnvelope = false;
  }

  #value(level: Level, text: string | undefined): void {
    if (this.#name === versionName) {
      if (level === 'container') this.#container.stated = text === undefined ? null : statedVersion(text);
      else if (this.#element !== undefined) this.#element.stated = text;
    }
    if (this.#name === 'type' && level === 'container') this.#container.type = text;
  }

  /** Reads one byte between strings. */
  #between(bytes: Uint8Array, index: number): number {
    const byte = bytes[index] ?? 0;
    if (byte === colon) return index + 1;
    if (byte === comma)
      this.#expectsName = this.#isObject[this.#depth] === true || this.#depth > this.#base + 2;
    else if (byte === closeObject || byte === closeList) this.#close(this.#offset + index);
    else {
      this.#beginValue(byte, this.#offset + index);
      if (byte === openObject || byte === openList) this.#open(byte);
      else if (byte === quote) this.#inString = true;
    }
    return index + 1;
  }

  /** A name or a value starts; a number or a literal once for each of its bytes, which changes nothing. */
  #beginValue(byte: number, at: number): void {
    const depth = this.#depth;
    const level = this.#level;
    const matters = this.#expectsName || this.#name === versionName || this.#name === 'type';
    if (byte === quote) this.#text = level !== undefined && matters ? [] : undefined;
    if (depth === 0) this.#base = byte === openList ? 2 : 1;
    else if (this.#inList && depth === this.#base + 1) {
      this.#container.elements += 1;
      if (byte === openObject) this.#element = { stated: undefined, start: at, deepest: 0 };
    } else if (this.#base === 2 && depth === 1) {
      if (byte === openObject) this.#container = new Container();
      else this.#loose.elements += 1;
    } else if (level === 'container' && !this.#expectsName && this.#name === 'objects') {
      if (byte !== openList) this.#container.hasNoList = true;
      else if (holdsObjects(this.#container.type)) {
        this.#container.isCut = true;
        this.#inList = true;
      }
    }
  }

  #open(byte: number): void {
    this.#depth += 1;
    const base = this.#base;
    if (this.#depth <= base + 2) this.#isObject[this.#depth] = byte === openObject;
    this.#expectsName = byte === openObject;
    const element = this.#element;
    if (element !== undefined) element.deepest = Math.max(element.deepest, this.#depth - base - 1);
  }

  #close(at: number): void {
    this.#expectsName = false;
    // Deeper levels are not kept: a list whose length follows the depth of hostile brackets takes seconds.
    if (this.#depth <= this.#base + 2) this.#isObject[this.#depth] = false;
    this.#depth -= 1;
    const element = this.#element;
    if (element !== undefined && this.#depth === this.#base + 1) {
      const isRead = element.deepest <= deepestJson && at + 1 - element.start <= largestJson;
      if (isRead) addObjectVersion(this.#container.versions, element.stated);
      this.#element = undefined;
    }
    if (this.#depth === this.#base) this.#inList = false;
    if (this.#base === 2 && this.#depth === 1) this.#closeContainer();
  }

  /** An element of the root list ends. */
  #closeContainer(): void {
    const container = this.#container;
    this.#container = new Container();
    const { type, isCut, stated } = container;
    const hasNoList = container.hasNoList && holdsObjects(type);
    const isList = type === 'bundle' || (type === undefined && (isCut || container.isEnvelope));
    if (isList && !hasNoList) {
      addVersion(this.#listVersions, jsonVersion(container));
      return;
    }
    this.#loose.elements += 1;
    if (!hasNoList) addObjectVersion(this.#loose.versions, stated);
  }
}
