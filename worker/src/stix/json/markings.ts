import { definedTlp, predefinedTlp, textAt, type JsonObject } from '@riskboard/domain';
import type { ReportWriter } from '../report-writer.ts';

/** Markings of a file that are known, and as many that are missing: real files have some dozens. */
const mostMarkings = 10_000;
/** Ids of STIX have 56 characters. Longer ones are not kept, and so are never defined. */
const longestId = 100;
const longId = '(long id)';

interface Missing {
  /** Of the first object that it marks. */
  location: string;
  /** A TLP marking whose definition follows the object. */
  isLate: boolean;
}

/** The markings that a file defines, and those that its objects refer to without a definition before them. */
export class Markings {
  /** Labels by id; null for markings other than TLP. */
  readonly #defined = new Map<string, string | null>();
  readonly #missing = new Map<string, Missing>();

  /** Reads a `marking-definition`. */
  define(marking: JsonObject): void {
    const id = textAt(marking, 'id');
    if (id === undefined || id.length > longestId || this.#defined.size >= mostMarkings) return;
    const tlp = definedTlp(marking) ?? null;
    this.#defined.set(id, tlp);
    const missing = this.#missing.get(id);
    if (missing === undefined) return;
    // Markings other than TLP give no label, wherever they are defined.
    if (tlp === null) this.#missing.delete(id);
    else missing.isLate = true;
  }

  /** The TLP label of a marking that an object at a location refers to. */
  tlpOf(id: string, location: string): string | undefined {
    const predefined = predefinedTlp(id);
    if (predefined !== undefined) return predefined;
    const defined = this.#defined.get(id);
    if (defined !== undefined) return defined ?? undefined;
    const key = id.length > longestId ? longId : id;
    if (this.#missing.has(key)) return undefined;
    // The case of a UUID has no meaning (RFC 9562). Looked up last, as few files have it.
    const inLowerCase = predefinedTlp(key.toLowerCase());
    if (inLowerCase === undefined && this.#missing.size < mostMarkings)
      this.#missing.set(key, { location, isLate: false });
    return inLowerCase;
  }

  /** Warns of each marking that was missing where it was needed. */
  warn(writer: Pick<ReportWriter, 'warn'>): void {
    for (const { location, isLate } of this.#missing.values())
      writer.warn(isLate ? 'marking-late' : 'marking-unknown', location);
  }
}
