import { Readable } from 'node:stream';
import { type ContentRef, type Database, readContent } from '@riskboard/db';
import type { FastifyReply } from 'fastify';
import { Failure } from '../lib/failure.ts';
import { type FileRow, presentFile } from './present.ts';
import { largestXml, xmlToJson } from './xml-to-json.ts';

/** RFC 6266 with an ASCII fallback: the name is a stranger's. */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w.\- ]/gu, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/gu,
    (c) => `%${c.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Downloads never render: attachment, sandboxed, not cached (ASVS 5.0, 3.2.1). */
export const asDownload = (reply: FastifyReply, name: string, type: string): FastifyReply =>
  reply
    .header('content-disposition', attachment(name))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cache-control', 'no-store')
    .type(type);

const contentOf = (row: FileRow): ContentRef => ({
  organizationId: row.organization_id,
  contentId: row.content_id,
});

export const rawBytes = (database: Database, row: FileRow): Readable =>
  Readable.from(readContent(database, contentOf(row)));

async function readText(database: Database, row: FileRow): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of readContent(database, contentOf(row))) parts.push(part);
  const bytes = Buffer.concat(parts);
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** JSON that has been read once is passed through as it is; a byte order mark is not JSON. */
async function* passThrough(database: Database, row: FileRow): AsyncGenerator<Buffer> {
  let first = true;
  for await (const part of readContent(database, contentOf(row))) {
    yield first && part[0] === 0xef && part[1] === 0xbb && part[2] === 0xbf ? part.subarray(3) : part;
    first = false;
  }
}

/** What could not be read as a report is shown as the text it is. */
async function* asText(database: Database, row: FileRow): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  yield '"';
  for await (const part of readContent(database, contentOf(row)))
    yield JSON.stringify(decoder.decode(part, { stream: true })).slice(1, -1);
  yield '"';
}

async function* content(database: Database, row: FileRow): AsyncGenerator<Buffer | string> {
  const wasRead = row.object_count !== null;
  if (!wasRead) yield* asText(database, row);
  else if (row.media === 'json') yield* passThrough(database, row);
  else yield await xmlToJson(await readText(database, row));
}

/** A file with its content as JSON, streamed: `{...file, content}`. @throws Failure 413 for XML beyond 64 MiB. */
export function fileWithContent(database: Database, row: FileRow): Readable {
  if (row.media === 'xml' && row.size > largestXml) {
    throw new Failure('too_large', 'This XML is too large to show as JSON; download the original instead.');
  }
  return Readable.from(withContent(database, row));
}

async function* withContent(database: Database, row: FileRow): AsyncGenerator<Buffer | string> {
  yield `${JSON.stringify(presentFile(row)).slice(0, -1)},"content":`;
  yield* content(database, row);
  yield '}';
}
