import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { type ContentRef, createFairSlots, type Database, readContent } from '@riskboard/db';
import { Failure } from '../../lib/http/failure.ts';
import { type FileRow, presentFile } from './files.ts';
import { largestXml, xmlToJson } from './xml-to-json.ts';

const contentOf = (row: FileRow): ContentRef & { size: number } => ({
  organizationId: row.organization_id,
  contentId: row.content_id,
  size: row.size,
});

/** A report that is replaced or deleted meanwhile ends the transfer with an error, here and below. */
export const rawBytes = (database: Database, row: FileRow): Readable =>
  Readable.from(readContent(database, contentOf(row)));

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** By the byte order mark; a report without one is UTF-8 (RFC 8259, 8.1; XML 1.0, F.1). */
function encodingOf(head: Buffer): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** The content as text, a MiB at a time, without its byte order mark. */
async function* text(database: Database, row: FileRow): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const part of readContent(database, contentOf(row))) {
    decoder ??= new TextDecoder(encodingOf(part));
    yield decoder.decode(part, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

async function readText(database: Database, row: FileRow): Promise<string> {
  let whole = '';
  for await (const part of text(database, row)) whole += part;
  return whole;
}

/** A file that could not be read as a report is shown as text. */
async function* asJsonString(parts: AsyncIterable<string>): AsyncGenerator<string> {
  yield '"';
  for await (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}

/**
 * A large conversion takes seconds and gigabytes: one at once of an organization, and two of all
 * (ASVS 5.0, 15.2.2).
 */
export const conversions = createFairSlots({ total: 2, perKey: 1, waiting: 20 });

type Content = AsyncIterable<string> | Iterable<string>;

async function content(database: Database, row: FileRow): Promise<Content> {
  const wasRead = row.object_count !== null;
  if (!wasRead) return asJsonString(text(database, row));
  if (row.media === 'json') return text(database, row);
  if (row.size <= largestXml)
    return conversions.run(row.organization_id, async () => [await xmlToJson(await readText(database, row))]);
  throw new Failure('too_large', 'This XML is too large to show as JSON; download the original instead.');
}

/**
 * A file with its content as JSON, streamed: `{...file, content}`.
 * @throws Failure 413 for XML beyond 64 MiB, 422 for XML without a JSON form.
 */
export const fileWithContent = async (database: Database, row: FileRow): Promise<Readable> =>
  Readable.from(withContent(row, await content(database, row)));

async function* withContent(row: FileRow, parts: Content): AsyncGenerator<string> {
  yield `${JSON.stringify(presentFile(row)).slice(0, -1)},"content":`;
  yield* parts;
  yield '}';
}
