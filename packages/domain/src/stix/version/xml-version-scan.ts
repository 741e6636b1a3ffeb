import { xmlRoot } from '../sniff/report-root.ts';
import { readStartTag, type XmlTag } from '../sniff/start-tag.ts';
import { isStixPackage } from '../stix1/definition.ts';
import { joinVersions, statedVersion } from './json-version.ts';

/** Parts of XML that are skipped, and how they end. */
const skipped = [
  { opens: '<!--', closes: '-->' },
  { opens: '<![CDATA[', closes: ']]>' },
  { opens: '<?', closes: '?>' },
] as const;

/** Characters of a start tag that are waited for; no version is found in a file with a longer one. */
const longestTag = 1024 * 1024;

/** Index of the `>` that ends the tag at `at`, which may contain others in quotes; -1 when it is not there yet. */
function endOfTag(text: string, at: number): number {
  for (let index = at; index < text.length; index += 1) {
    const char = text[index];
    if (char === '>') return index;
    if (char !== '"' && char !== "'") continue;
    index = text.indexOf(char, index + 1);
    if (index === -1) return -1;
  }
  return -1;
}

/**
 * Finds the STIX versions of an XML report in its text as it comes, by the rules of the reader; of a file that the reader
 * refuses the result means nothing. A package states its version in its first tag: only a TAXII message is scanned whole.
 */
export class XmlVersionScan {
  #rest = '';
  #closes: string | undefined;
  #depth = 0;
  /** Depth of the package that is open; those inside it do not count. */
  #package = 0;
  readonly #bindings: { depth: number; prefix: string; uri: string }[] = [];
  readonly #versions = new Set<string>();
  #isDone = false;

  /** Whether the rest of the file changes nothing. */
  get isDone(): boolean {
    return this.#isDone;
  }

  push(text: string): void {
    if (this.#isDone) return;
    this.#rest += text;
    let at = 0;
    while (!this.#isDone) {
      const next = this.#advance(at);
      if (next === -1) break;
      at = next;
    }
    this.#rest = this.#isDone ? '' : this.#rest.slice(at);
    if (this.#rest.length > longestTag && this.#closes === undefined) this.#isDone = true;
  }

  /** The distinct versions, joined by commas; null when no package states one. */
  end(): string | null {
    return joinVersions(this.#versions);
  }

  /** Reads one tag or skips one part. @returns the index after it, or -1 when more text is needed */
  #advance(at: number): number {
    const text = this.#rest;
    if (this.#closes !== undefined) return this.#skip(at, this.#closes);
    const start = text.indexOf('<', at);
    if (start === -1) {
      this.#rest = '';
      return -1;
    }
    const part = skipped.find(({ opens }) => text.startsWith(opens, start));
    if (part !== undefined) {
      this.#closes = part.closes;
      return start + part.opens.length;
    }
    // With nine characters CDATA, comments and tags differ.
    if (text[start + 1] === '!' && text.length - start < 9) return -1;
    const end = endOfTag(text, start + 1);
    if (end === -1) return -1;
    this.#tag(text.slice(start, end + 1));
    return end + 1;
  }

  #skip(at: number, closes: string): number {
    const end = this.#rest.indexOf(closes, at);
    if (end === -1) {
      this.#rest = this.#rest.slice(Math.max(at, this.#rest.length - closes.length + 1));
      return -1;
    }
    this.#closes = undefined;
    return end + closes.length;
  }

  #tag(text: string): void {
    if (text.startsWith('</')) return this.#leave();
    this.#depth += 1;
    const isRoot = this.#depth === 1;
    if (isRoot || text.includes('xmlns') || text.includes('STIX_Package')) {
      const tag = readStartTag(text);
      if (tag === undefined) this.#isDone = true;
      else this.#start(tag, isRoot);
    }
    if (text.endsWith('/>')) this.#leave();
  }

  #start(tag: XmlTag, isRoot: boolean): void {
    for (const [prefix, uri] of tag.namespaces) this.#bindings.push({ depth: this.#depth, prefix, uri });
    const uri = this.#bindings.findLast(({ prefix }) => prefix === tag.prefix)?.uri ?? '';
    if (this.#package === 0 && isStixPackage(uri, tag.local)) {
      this.#package = this.#depth;
      const version = statedVersion(tag.attributes.get('version')?.trim() ?? '');
      if (version !== null) this.#versions.add(version);
    }
    if (!isRoot) return;
    const root = xmlRoot(uri, tag.local);
    this.#isDone = !('role' in root) || root.role !== 'taxii';
  }

  #leave(): void {
    if (this.#package === this.#depth) this.#package = 0;
    while (this.#bindings.at(-1)?.depth === this.#depth) this.#bindings.pop();
    this.#depth -= 1;
  }
}
