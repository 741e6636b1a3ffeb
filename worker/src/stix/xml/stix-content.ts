import { addVersion, isStixPackage, joinVersions, statedVersion, xmlRoot } from '@riskboard/domain';
import { ReportError } from '../report-error.ts';
import type { ReportSummary } from '../report-sink.ts';
import type { ReportWriter } from '../report-writer.ts';
import type { Frame } from './frame.ts';
import { attributeOf, type StartElement } from './start-element.ts';

const knownVersions: ReadonlySet<string> = new Set(['1.0', '1.0.1', '1.1', '1.1.1', '1.2', 'stix-1.2.1']);

/** Whether the text is a true xs:boolean. */
const isTrue = (text = ''): boolean => ['true', '1'].includes(text.trim());

/** What the root of the file is, which packages it has, and the STIX version of each element. */
export class StixContent {
  readonly #writer: ReportWriter;
  readonly #pathOf: (frame: Frame) => string;
  #wrapper = '';
  #role: 'package' | 'taxii' | 'fragment' = 'package';
  readonly #versions = new Set<string>();
  /** Packages, and fragments in the blocks of a TAXII message. */
  #contents = 0;
  /** A block of a TAXII message has text where its content should be. */
  #hasTextBlock = false;

  /** @param pathOf the location of an open element, for warnings */
  constructor(writer: ReportWriter, pathOf: (frame: Frame) => string) {
    this.#writer = writer;
    this.#pathOf = pathOf;
  }

  /** @throws ReportError when the root element is neither of STIX nor of TAXII */
  openRoot(tag: StartElement): void {
    const root = xmlRoot(tag.uri, tag.local);
    if ('refusal' in root) throw ReportError.of(root.refusal);
    this.#wrapper = root.wrapper;
    this.#role = root.role;
    if (root.role === 'taxii' && isTrue(attributeOf(tag, 'more'))) this.#writer.warn('incomplete-page');
  }

  /** The STIX version in force: of the nearest package, null in a fragment, undefined outside of STIX. */
  versionIn(tag: StartElement, parent: Frame | undefined): string | null | undefined {
    const isPackage = isStixPackage(tag.uri, tag.local);
    if (!isPackage) {
      if (parent === undefined && this.#role === 'fragment') return null;
      return parent?.content === true ? this.#contentVersion(tag, parent) : parent?.version;
    }
    this.#contents += 1;
    const stated = statedVersion(attributeOf(tag, 'version')?.trim() ?? '');
    const version = stated ?? parent?.version ?? null;
    // The file has the version of its packages, not of those inside them.
    if (parent?.version === undefined) addVersion(this.#versions, version);
    return version;
  }

  /** Content of a TAXII block that is not a package: a bare construct, or a format other than STIX. */
  #contentVersion(tag: StartElement, content: Frame): null | undefined {
    const root = xmlRoot(tag.uri, tag.local);
    const isFragment = 'role' in root && root.role === 'fragment';
    this.#writer.warn(isFragment ? 'fragment' : 'content-not-stix', this.#pathOf(content));
    if (!isFragment) return undefined;
    this.#contents += 1;
    return null;
  }

  /** A block of a TAXII message is complete: escaped STIX, or STIX in CDATA, is text. */
  closeContent(content: Frame): void {
    if (!content.hasText || content.children > 0 || content.version !== undefined) return;
    this.#hasTextBlock = true;
    this.#writer.warn('content-not-stix', this.#pathOf(content));
  }

  /**
   * Adds the warnings about the file as a whole.
   * @throws ReportError when a TAXII message has no STIX content
   */
  end(): Pick<ReportSummary, 'wrapper' | 'stixVersion'> {
    if (this.#role === 'taxii' && this.#contents === 0) {
      const found = this.#hasTextBlock
        ? 'a content block of the TAXII message contains text instead of STIX elements.'
        : 'the TAXII message contains no STIX package.';
      throw new ReportError('no-stix-content', `No STIX content: ${found}`);
    }
    if (this.#role === 'fragment') this.#writer.warn('fragment');
    if (this.#writer.objectTotal === 0) this.#writer.warn('nothing-to-extract');
    if ([...this.#versions].some((version) => !knownVersions.has(version)))
      this.#writer.warn('version-unknown');
    return { wrapper: this.#wrapper, stixVersion: joinVersions(this.#versions) };
  }
}
