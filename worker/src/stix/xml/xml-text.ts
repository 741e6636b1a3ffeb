import { isAscii } from 'node:buffer';
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

/** What is wrong with a declared encoding that the bytes do not have. */
function encodingFault(declared: string, encoding: keyof typeof declarable): string {
  const isSupported = Object.values(declarable).some((names) => names.has(declared));
  const problem = isSupported
    ? `but its bytes are ${encoding.toUpperCase()}${encoding === 'utf-8' ? '' : ', as its byte order mark shows'}`
    : 'but only UTF-8, or UTF-16 with a byte order mark, is read';
  return `The XML declares the encoding ${declared.slice(0, 40)}, ${problem}.`;
}

/** A UTF-8 text, which has been checked. V8 stores an ASCII text in half the memory, and reads it faster. */
function utf8Text({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Decodes UTF-16; chunks may end anywhere. */
class Utf16Text {
  readonly #decoder: InstanceType<typeof TextDecoder>;
  /** Bytes of the calls before. */
  #decoded = 0;

  constructor(encoding: string) {
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  decode(bytes: Uint8Array, stream: boolean): string {
    try {
      const text = this.#decoder.decode(bytes, { stream });
      this.#decoded += bytes.length;
      return text;
    } catch {
      const message = `The file is not valid ${this.#decoder.encoding.toUpperCase()}.`;
      throw new ReportError('encoding', message, `after byte ${this.#decoded}`);
    }
  }
}

/** Decodes the bytes of an XML file: UTF-8, or UTF-16 with a byte order mark. */
export class XmlText {
  readonly #utf16: Utf16Text | undefined;
  readonly #utf8 = new Utf8Check();

  /**
   * @param head the first bytes of the file, enough for its XML declaration
   * @throws ReportError when the file declares another encoding than it has, or one that is not supported
   */
  constructor(head: Uint8Array) {
    const encoding = supportedEncoding(head);
    if (encoding !== 'utf-8') this.#utf16 = new Utf16Text(encoding);
    const start = new TextDecoder(encoding).decode(head).trimStart();
    const declared = declaration.exec(start)?.[1]?.toLowerCase() ?? 'utf-8';
    const stated = declaration.test(start);
    if (stated && !declarable[encoding].has(declared))
      throw new ReportError('encoding', encodingFault(declared, encoding));
  }

  decode(bytes: Uint8Array): string {
    return this.#utf16?.decode(bytes, true) ?? utf8Text(this.#utf8.push(bytes));
  }

  end(): string {
    if (this.#utf16 !== undefined) return this.#utf16.decode(new Uint8Array(), false);
    this.#utf8.end();
    return '';
  }
}
