import { TextDecoder } from 'node:util';
import { CsvFault, CsvParser, type CsvRow, delimiterOf, withoutDelimiterLine } from './parser.ts';

/** Characters of the file that show which delimiter it has. */
const headLength = 64 * 1024;

const notText = new CsvFault('The file is not valid UTF-8. Save it as CSV UTF-8 and upload it again.');

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** UTF-16 only with a byte order mark. */
function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** Bytes that are parsed at once: the rows of a larger piece outlive the young generation of the heap. */
const pieceSize = 16 * 1024;

/** The text of a file in small pieces, without its byte order mark. @throws CsvFault */
async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  const decode = (piece?: Uint8Array): string => {
    try {
      return decoder?.decode(piece, { stream: piece !== undefined }) ?? '';
    } catch (error) {
      if (error instanceof TypeError) throw notText;
      throw error;
    }
  };
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    for (let at = 0; at < chunk.length; at += pieceSize) {
      const text = decode(chunk.subarray(at, at + pieceSize));
      if (text.includes('\0')) throw new CsvFault('The file has NUL characters: it is not a CSV file.');
      yield text;
    }
  }
  yield decode();
}

/** A part of a file: the rows that end in it, and the delimiter of all rows. */
export interface CsvPart {
  delimiter: string;
  rows: CsvRow[];
}

/**
 * Reads a CSV file part by part; memory does not grow with the file. The first bytes are at least the two of a byte order mark, unless the file is shorter.
 * @param pause awaited before each part, so that other work of the process can run
 * @throws CsvFault with the line, when the file is not text or has a quote that is not closed
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  pause: () => Promise<void>,
): AsyncGenerator<CsvPart> {
  let unread = '';
  let delimiter = '';
  let parser: CsvParser | undefined;
  const begin = (): CsvParser => {
    delimiter = delimiterOf(unread);
    unread = withoutDelimiterLine(unread);
    return new CsvParser(delimiter);
  };
  for await (const text of textOf(bytes)) {
    unread += text;
    if (!parser && unread.length < headLength) continue;
    parser ??= begin();
    for (let at = 0; at < unread.length; at += pieceSize) {
      await pause();
      yield { delimiter, rows: parser.push(unread.slice(at, at + pieceSize)) };
    }
    unread = '';
  }
  parser ??= begin();
  yield { delimiter, rows: [...parser.push(unread), ...parser.end()] };
}
