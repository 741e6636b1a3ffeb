import { isUtf8 } from 'node:buffer';
import { ReportError } from './report-error.ts';

/** Length of the sequence that a lead byte starts; 0 for other bytes. Source: RFC 3629 section 4. */
function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/** Number of bytes at the end that start a sequence which the next chunk may complete. */
function openTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

/** Index of the first byte that is not UTF-8; there must be one. */
function firstInvalid(bytes: Uint8Array): number {
  let at = 0;
  for (;;) {
    const length = sequenceLength(bytes[at] ?? 0);
    if (length === 0 || at + length > bytes.length || !isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
}

/** Checks that a stream of bytes is UTF-8; chunks may end anywhere. */
export class Utf8Check {
  #tail: Uint8Array = new Uint8Array();
  #checked = 0;

  /**
   * @returns the bytes up to the last whole character, with those that the chunk before left open
   * @throws ReportError with the byte offset of the first invalid byte
   */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    const end = bytes.length - openTail(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) this.#refuse(firstInvalid(whole));
    this.#tail = Uint8Array.from(bytes.subarray(end));
    this.#checked += end;
    return whole;
  }

  /** @throws ReportError when the stream ends inside a character */
  end(): void {
    if (this.#tail.length > 0) this.#refuse(0);
  }

  #refuse(index: number): never {
    const location = `byte ${this.#checked + index}`;
    throw new ReportError('encoding', 'The file is not valid UTF-8, which STIX requires.', location);
  }
}
