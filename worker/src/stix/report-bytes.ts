import { encodingOf, jsonBytes, quotedText } from '@riskboard/domain';
import { ReportError } from './report-error.ts';

/** Enough for a byte order mark, an XML declaration and the first character that is not blank. */
const headSize = 1024;
/** Bytes of blanks before the first other character. */
const mostBlanks = 64 * 1024;
/** Bytes processed without a pause: some milliseconds of work. */
const sliceSize = 128 * 1024;

export interface ReportBytes {
  media: 'json' | 'xml';
  /** The start of the file, byte order mark included. */
  head: Buffer;
  /** The chunks of the whole file as they came, the head first; a UTF-8 byte order mark is left out. */
  chunks: AsyncGenerator<Buffer>;
}

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

function firstByte(head: Buffer): number | undefined {
  const { encoding, mark } = encodingOf(head);
  // In UTF-16 and UTF-32 the other bytes of ASCII text are zero.
  const isPadding = (byte: number): boolean => byte === 0 && encoding !== 'utf-8';
  return head.subarray(mark).find((byte) => !isPadding(byte) && !isBlank(byte));
}

async function readHead(source: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < headSize || (firstByte(head) === undefined && head.length < mostBlanks)) {
    const { done, value } = await source.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

async function* rest(head: Buffer, source: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    const { buffer, byteOffset, byteLength } = next.value;
    yield Buffer.from(buffer, byteOffset, byteLength);
  }
}

/**
 * Reads the start of a file and returns it with the rest. The first character decides between JSON and XML, not the name.
 *
 * @throws ReportError when the file is empty or starts with neither
 */
export async function openReport(source: AsyncIterable<Uint8Array>): Promise<ReportBytes> {
  const iterator = source[Symbol.asyncIterator]();
  const head = await readHead(iterator);
  const { encoding, mark } = encodingOf(head);
  const first = firstByte(head);
  if (first === undefined) {
    if (head.length < mostBlanks) throw new ReportError('empty-file', 'The file is empty.');
    throw new ReportError('not-stix', 'Not a STIX report: the start of the file is blank.');
  }
  const skipped = encoding === 'utf-8' ? head.subarray(mark) : head;
  const chunks = rest(skipped, iterator);
  if (encoding.startsWith('utf-32'))
    throw new ReportError('encoding', 'The file is encoded as UTF-32; STIX requires UTF-8.');
  if (first === 0x3c) return { media: 'xml', head, chunks };
  if (first !== jsonBytes.openObject && first !== jsonBytes.openList) {
    const start = head.toString('latin1', mark, mark + 20);
    const message = `Not a STIX report: the file starts with "${quotedText(start, 20)}", which is neither JSON nor XML.`;
    throw new ReportError('not-stix', message);
  }
  if (encoding !== 'utf-8') {
    throw new ReportError('encoding', 'The JSON is encoded as UTF-16; STIX requires UTF-8.');
  }
  return { media: 'json', head, chunks };
}

/** Splits a chunk into pieces, between which other work may run. */
export function* piecesOf(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; at += sliceSize) yield chunk.subarray(at, at + sliceSize);
}
