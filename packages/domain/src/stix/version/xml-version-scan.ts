import { xmlRoot } from '../sniff/report-root.ts';
import { readStartTag, type XmlTag } from '../sniff/start-tag.ts';
import { isStixPackage } from '../stix1/definition.ts';
import { addVersion, joinVersions, statedVersion } from './json-version.ts';

/** Greatest nesting depth of elements that is read. Without a cap, namespaces make depth quadratic: 100,000 levels take minutes. */
export const deepestXml = 256;

/** Parts of XML that are skipped, and how they end. */
const skipped = [
  { opens: '<!--', closes: '-->' },
  { opens: '<![CDATA[', closes: ']]>' },
  { opens: '<?', closes: '?>' },
] as const;

/** Characters of a start tag that are waited for; no version is found in a file with a longer one. */
const longestTag = 256 * 1024;

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

/** Prefixes that no open element declares, and that are kept. */
const sparePrefixes = 1000;

interface Step {
  /** Index of the first character that is still needed. */
  at: number;
  /** More text is needed. */
  isWaiting: boolean;
}

/**
 * Finds the STIX versions of an XML report while its text arrives, by the rules of the reader. The result is undefined
 * for a file that the reader refuses. A package states its version in its first tag: only a TAXII message is scanned
 * whole.
 */
export class XmlVersionScan {
  #rest = '';
  #closes: string | undefined;
  #depth = 0;
  /** Depth of the package that is open; those inside it do not count. */
  #package = 0;
  /** Prefixes that the open elements declare, and of each its namespaces, the innermost last. */
  readonly #declared: { depth: number; prefix: string }[] = [];
  #uris = new Map<string, string[]>();
  readonly #versions = new Set<string>();
  #isDone = false;

  /** Whether the rest of the file changes nothing. */
  get isDone(): boolean {
    return this.#isDone;
  }

  push(text: string): void {
    if (this.#isDone) return;
    this.#rest += text;
    let step: Step = { at: 0, isWaiting: false };
    while (!this.#isDone && !step.isWaiting) step = this.#advance(step.at);
    this.#rest = this.#isDone ? '' : this.#rest.slice(step.at);
    if (this.#rest.length > longestTag) this.#isDone = true;
  }

  /** The distinct versions, joined by commas; null when no package states one. */
  end(): string | null {
    return joinVersions(this.#versions);
  }

  /** Reads one tag or skips one part. */
  #advance(at: number): Step {
    const text = this.#rest;
    if (this.#closes !== undefined) return this.#skip(at, this.#closes);
    const start = text.indexOf('<', at);
    if (start === -1) return { at: text.length, isWaiting: true };
    const part = skipped.find(({ opens }) => text.startsWith(opens, start));
    if (part !== undefined) {
      this.#closes = part.closes;
      return { at: start + part.opens.length, isWaiting: false };
    }
    // With nine characters CDATA, comments and tags differ.
    const isShort = text.length - start < 9 && '!'.startsWith(text.slice(start + 1, start + 2));
    const end = isShort ? -1 : endOfTag(text, start + 1);
    if (end === -1) return { at: start, isWaiting: true };
    this.#tag(text.slice(start, end + 1));
    return { at: end + 1, isWaiting: false };
  }

  #skip(at: number, closes: string): Step {
    const end = this.#rest.indexOf(closes, at);
    // The text may end within what closes the part.
    if (end === -1) return { at: Math.max(at, this.#rest.length - closes.length + 1), isWaiting: true };
    this.#closes = undefined;
    return { at: end + closes.length, isWaiting: false };
  }

  #tag(text: string): void {
    if (text.startsWith('</')) return this.#leave();
    this.#depth += 1;
    // The reader refuses the file.
    if (this.#depth > deepestXml) this.#isDone = true;
    const isRoot = this.#depth === 1;
    if (isRoot || text.includes('xmlns') || text.includes('STIX_Package')) {
      const tag = readStartTag(text);
      if (tag === undefined) this.#isDone = true;
      else this.#start(tag, isRoot);
    }
    if (text.endsWith('/>')) this.#leave();
  }

  #start(tag: XmlTag, isRoot: boolean): void {
    for (const [prefix, uri] of tag.namespaces) this.#declare(prefix, uri);
    const uri = this.#uris.get(tag.prefix)?.at(-1) ?? '';
    if (this.#package === 0 && isStixPackage(uri, tag.local)) {
      this.#package = this.#depth;
      const version = statedVersion(tag.attributes.get('version')?.trim() ?? '');
      addVersion(this.#versions, version);
    }
    if (!isRoot) return;
    const root = xmlRoot(uri, tag.local);
    this.#isDone = !('role' in root) || root.role !== 'taxii';
  }

  #declare(prefix: string, uri: string): void {
    this.#declared.push({ depth: this.#depth, prefix });
    const uris = this.#uris.get(prefix);
    if (uris !== undefined) uris.push(uri);
    else {
      if (this.#uris.size > 2 * this.#declared.length + sparePrefixes) this.#forgetPrefixes();
      this.#uris.set(prefix, [uri]);
    }
  }

  /** Prefixes of closed elements are forgotten together: deleting one from a large map takes microseconds. */
  #forgetPrefixes(): void {
    this.#uris = new Map([...this.#uris].filter(([, uris]) => uris.length > 0));
  }

  #leave(): void {
    if (this.#package === this.#depth) this.#package = 0;
    for (let last = this.#declared.at(-1); last?.depth === this.#depth; last = this.#declared.at(-1)) {
      this.#uris.get(last.prefix)?.pop();
      this.#declared.pop();
    }
    this.#depth -= 1;
  }
}
