import { type Encoding, encodingOf, JsonVersionScan, XmlVersionScan } from '@riskboard/domain';

export interface VersionScan {
  push(bytes: Buffer): void;
  end(): string | null;
}

/** The encodings that a TextDecoder knows; the reader refuses UTF-32. */
const decodable = (encoding: Encoding) => (encoding.startsWith('utf-32') ? 'utf-8' : encoding);

class XmlBytesScan implements VersionScan {
  readonly #scan = new XmlVersionScan();
  readonly #decoder: InstanceType<typeof TextDecoder>;

  constructor(encoding: Encoding) {
    this.#decoder = new TextDecoder(decodable(encoding));
  }

  push(bytes: Buffer): void {
    if (!this.#scan.isDone) this.#scan.push(this.#decoder.decode(bytes, { stream: true }));
  }

  end(): string | null {
    return this.#scan.end();
  }
}

/** Finds the STIX version of an upload in its bytes, the same as the worker will read. */
export const versionScan = (media: 'json' | 'xml', head: Buffer): VersionScan =>
  media === 'json' ? new JsonVersionScan() : new XmlBytesScan(encodingOf(head).encoding);

/** The head as text, without its byte order mark; a character that is cut off at the end is left out. */
export const decodeHead = (head: Buffer): string =>
  new TextDecoder(decodable(encodingOf(head).encoding)).decode(head, { stream: true });
