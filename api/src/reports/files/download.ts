import { constrainedMemory } from 'node:process';
import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { type ContentRef, createFairSlots, type Database, readContent } from '@riskboard/db';
import { type FileRow, presentFile } from './files.ts';
import { type Keeper, keepForm } from './keep-form.ts';
import { type JsonForm, largestXml, tooLarge, xmlToJson } from './xml-to-json.ts';

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

/** A file that could not be read as a report is shown as text. */
async function* asJsonString(parts: AsyncIterable<string>): AsyncGenerator<string> {
  yield '"';
  for await (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}

/** A container below this ends as a whole, with the api, when two large conversions exceed its memory. */
const memoryOfTwo = 1024 ** 3;

/** Bytes this process may use with those it starts; 0 when unknown. */
const memory = constrainedMemory() || Infinity;

/**
 * A large conversion takes seconds and a gigabyte: one at once of an organization, and two of all where there is memory for
 * both (ASVS 5.0, 15.2.2). Its slot is free again before the client has received anything.
 */
const conversions = createFairSlots({ total: memory < memoryOfTwo ? 1 : 2, perKey: 1, waiting: 20 });

/** Forms of an organization that are kept until its clients have received them. Other organizations do not wait for them. */
const replies = createFairSlots({ total: Infinity, perKey: 3, waiting: 20 });

/** Milliseconds to send a form. */
const sendWithinMs = 5 * 60_000;

interface Content {
  parts: AsyncIterable<string | Buffer> | readonly Buffer[];
  /** Called when the reply has ended. */
  release?: () => void;
}

async function asJson(keeper: Keeper, row: FileRow): Promise<Content> {
  const end = await replies.take(row.organization_id);
  try {
    const { parts, drop } = await conversions.run(row.organization_id, async () => {
      const form = await xmlToJson(text(keeper.database, row));
      return keepForm(keeper, row.organization_id, wholeOf(form));
    });
    return { parts, release: () => void drop().then(end) };
  } catch (error) {
    end();
    throw error;
  }
}

/** @throws Failure 413 when the process was ended before it had written everything */
async function* wholeOf({ content, ended }: JsonForm): AsyncGenerator<Buffer> {
  try {
    yield* content as AsyncIterable<Buffer>;
  } catch (error) {
    throw (await ended) ? error : tooLarge();
  }
  if (!(await ended)) throw tooLarge();
}

async function content(keeper: Keeper, row: FileRow): Promise<Content> {
  const { database } = keeper;
  const wasRead = row.object_count !== null;
  if (!wasRead) return { parts: asJsonString(text(database, row)) };
  if (row.media === 'json') return { parts: text(database, row) };
  if (row.size <= largestXml) return asJson(keeper, row);
  throw tooLarge();
}

/**
 * A file with its content as JSON, streamed: `{...file, content}`.
 * @throws Failure 413 for XML beyond 64 MiB or what a conversion may need, 422 for XML without a JSON form, 507 when the disk
 * of the database has no space for the form
 */
export async function fileWithContent(keeper: Keeper, row: FileRow): Promise<Readable> {
  const { parts, release } = await content(keeper, row);
  const reply = Readable.from(withContent(row, parts));
  if (!release) return reply;
  const timer = setTimeout(() => reply.destroy(), sendWithinMs).unref();
  reply.once('close', () => {
    clearTimeout(timer);
    release();
  });
  return reply;
}

async function* withContent(row: FileRow, parts: Content['parts']): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(presentFile(row)).slice(0, -1)},"content":`;
  yield* parts;
  yield '}';
}
