import { encodingOf } from '@riskboard/domain';
import { ReportError } from '../report-error.ts';
import { Utf8Check } from '../utf8-check.ts';

const declaration = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/;

/** Encodings that may be declared, by what the bytes are. US-ASCII is UTF-8. */
const declarable = {
  'utf-8': new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']),
  'utf-16le': new Set(['utf-16', 'utf16', 'utf-16le']),
  'utf-16be': new Set(['utf-16', 'utf16', 'utf-16be']),
} as const;

/** UTF-32 has been refused before. */
function supportedEncoding(head: Uint8Array): keyof typeof declarable {
  const { encoding, mark } = encodingOf(head);
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return 'utf-8';
  if (mark > 0) return encoding;
  const message = 'The file looks like UTF-16 without a byte order mark; XML requires one.';
  throw new ReportError('encoding', message);
}

/** Decodes the bytes of an XML file: UTF-8, or UTF-16 with a byte order mark. */
export class XmlText {
  readonly #decoder: InstanceType<typeof TextDecoder>;
  readonly #utf8: Utf8Check | undefined;
  /** Bytes of the calls before. */
  #decoded = 0;

  /**
   * @param head the first bytes of the file, enough for its XML declaration
   * @throws ReportError when the file declares another encoding than it has, or one that is not supported
   */
  constructor(head: Uint8Array) {
    const encoding = supportedEncoding(head);
    this.#decoder = new TextDecoder(encoding, { fatal: true });
    this.#utf8 = encoding === 'utf-8' ? new Utf8Check() : undefined;
    const start = new TextDecoder(encoding).decode(head).trimStart();
    const declared = declaration.exec(start)?.[1]?.toLowerCase() ?? 'utf-8';
    const stated = declaration.test(start);
    if (stated && !declarable[encoding].has(declared)) {
      const message = `The XML declares the encoding ${declared.slice(0, 40)} but only UTF-8, or UTF-16 with a byte order mark, is read.`;
      throw new ReportError('encoding', message);
    }
  }

  decode(bytes: Uint8Array): string {
    this.#utf8?.push(bytes);
    return this.#decode(bytes, true);
  }

  end(): string {
    this.#utf8?.end();
    return this.#decode(new Uint8Array(), false);
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    try {
      const text = this.#decoder.decode(bytes, { stream });
      this.#decoded += bytes.length;
      return text;
    } catch (cause) {
      if (cause instanceof ReportError) throw cause;
      const message = `The file is not valid ${this.#decoder.encoding.toUpperCase()}.`;
      throw new ReportError('encoding', message, `after byte ${this.#decoded}`);
    }
  }
}
