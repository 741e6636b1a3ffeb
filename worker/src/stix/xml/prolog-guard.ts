import { doctypeRefusal } from '@riskboard/domain';
import { ReportError } from '../report-error.ts';

/** What may precede the root, and how it ends (XML 1.0 section 2.8). */
const skipped = [
  { opens: '<!--', closes: '-->' },
  { opens: '<?', closes: '?>' },
] as const;

/**
 * Rejects a document type declaration before the parser sees it: saxes would first read the whole DTD with its entities.
 * Only the prolog counts; a `<!DOCTYPE` inside CDATA is text.
 */
export class PrologGuard {
  #passed = false;
  #rest = '';
  #closes: string | undefined;

  /** @throws ReportError when the prolog declares a document type */
  push(text: string): void {
    if (this.#passed) return;
    this.#rest += text;
    while (!this.#passed && this.#advance());
  }

  /** Skips one part of the prolog; false when more text is needed. */
  #advance(): boolean {
    if (this.#closes !== undefined) return this.#skip(this.#closes);
    this.#rest = this.#rest.trimStart();
    const opened = skipped.find(({ opens }) => this.#rest.startsWith(opens));
    if (opened !== undefined) {
      this.#rest = this.#rest.slice(opened.opens.length);
      this.#closes = opened.closes;
      return true;
    }
    if (this.#rest.startsWith('<!D')) throw ReportError.of(doctypeRefusal);
    if (this.#rest.length < 4 && '<!--'.startsWith(this.#rest)) return false;
    this.#passed = true;
    this.#rest = '';
    return false;
  }

  #skip(closes: string): boolean {
    const at = this.#rest.indexOf(closes);
    if (at === -1) {
      this.#rest = this.#rest.slice(-(closes.length - 1));
      return false;
    }
    this.#rest = this.#rest.slice(at + closes.length);
    this.#closes = undefined;
    return true;
  }
}
