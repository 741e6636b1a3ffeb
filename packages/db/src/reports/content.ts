import { promisify } from 'node:util';
import { constants, createZstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '../connection/client.ts';
import { releaseMemory } from './release-memory.ts';
import { withOrganization, withOrganizationConnection } from '../with-organization.ts';

const decompress = promisify(zstdDecompress);

/** Bytes of a report that one row holds, before compression. */
export const chunkBytes = 1024 * 1024;
/**
 * One buffer for a whole chunk, instead of 64 that are concatenated on the main thread. zlib allocates another one as soon as
 * the first is full, hence the additional byte.
 */
const whole = { chunkSize: chunkBytes + 1 };
const fast = { ...whole, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** As `zstdCompress`, which leaves its buffer of a MiB for each chunk to the garbage collection. */
async function compress(bytes: Buffer): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of createZstdCompress(fast).end(bytes)) parts.push(part as Buffer);
  const compressed = Buffer.concat(parts);
  for (const part of parts) releaseMemory(part);
  return compressed;
}

/** The content of one file of an organization. */
export interface ContentRef {
  organizationId: string;
  contentId: string;
}

/**
 * Stores the n-th MiB; the first one begins the content. Committed asynchronously: the later commit that makes the file visible
 * also flushes this one.
 */
export async function storeChunk(
  database: Database,
  { organizationId, contentId }: ContentRef,
  chunk: { n: number; bytes: Buffer },
): Promise<void> {
  const data = await compress(chunk.bytes);
  await withOrganization(database, organizationId, async (trx) => {
    await sql`set local synchronous_commit = off`.execute(trx);
    if (chunk.n === 0)
      await trx
        .insertInto('file_content')
        .values({ organization_id: organizationId, id: contentId })
        .execute();
    await trx
      .insertInto('file_chunk')
      .values({ organization_id: organizationId, content_id: contentId, n: chunk.n, data })
      .execute();
  });
  releaseMemory(data);
}

/** Deletes content with its chunks. */
export async function dropContent(
  database: Database,
  { organizationId, contentId }: ContentRef,
): Promise<void> {
  await withOrganization(database, organizationId, (trx) =>
    trx.deleteFrom('file_content').where('id', '=', contentId).execute(),
  );
}

/** Chunks per read. */
const perRead = 4;

/** Of a binary COPY: signature, flags and length of the extension, which is empty (PostgreSQL manual, COPY, Binary Format). */
const binaryHeader = 19;

/** The cells of a binary COPY of one column. */
function binaryCells(bytes: Buffer): Buffer[] {
  const cells: Buffer[] = [];
  let at = binaryHeader;
  while (bytes.readInt16BE(at) === 1) {
    const begin = at + 6;
    at = begin + bytes.readInt32BE(at + 2);
    cells.push(bytes.subarray(begin, at));
  }
  return cells;
}

/** The compressed chunks. By COPY, because the driver receives the bytes of a query as hexadecimal text. */
function readChunks(
  database: Database,
  { organizationId, contentId }: ContentRef,
  from: number,
): Promise<Buffer[]> {
  return withOrganizationConnection(database, organizationId, async (_trx, connection) => {
    const rows = connection.query(
      copyTo(`copy (
        select data from file_chunk
        where organization_id = current_organization() and content_id = ${pg.escapeLiteral(contentId)}
          and n >= ${from} and n < ${from + perRead} order by n) to stdout (format binary)`),
    );
    const parts: Buffer[] = [];
    for await (const part of rows) parts.push(part as Buffer);
    return binaryCells(Buffer.concat(parts));
  });
}

/** Every compressed chunk in its order. Holds no connection between reads, and reads ahead by one. */
async function* chunksOf(database: Database, content: ContentRef): AsyncGenerator<Buffer> {
  let ahead = readChunks(database, content, 0);
  for (let n = 0; ; n += perRead) {
    const chunks = await ahead;
    if (chunks.length === perRead) {
      ahead = readChunks(database, content, n + perRead);
      // Thrown by the next iteration; without one it must not be an unhandled rejection.
      ahead.catch(() => undefined);
    }
    yield* chunks;
    if (chunks.length < perRead) return;
  }
}

/** The content was deleted while it was read: its file was replaced or deleted. */
export class ContentDeleted extends Error {
  constructor() {
    super('The file was replaced or deleted while it was read.');
  }
}

/**
 * The original bytes, a MiB at a time, each with memory of its own. Holds no connection between reads, and decompresses one
 * ahead while the caller works on the last.
 * @param content `size`: its bytes, compared with the bytes that were read
 * @throws ContentDeleted when the content ends before its size
 */
export async function* readContent(
  database: Database,
  content: ContentRef & { size: number },
): AsyncGenerator<Buffer> {
  let missing = content.size;
  let ahead: Promise<Buffer> | undefined;
  for await (const chunk of chunksOf(database, content)) {
    const following = decompress(chunk, whole);
    // Thrown by the next iteration; without one it must not be an unhandled rejection.
    following.catch(() => undefined);
    const bytes = await ahead;
    ahead = following;
    if (bytes === undefined) continue;
    missing -= bytes.length;
    yield bytes;
  }
  const last = await ahead;
  if (last !== undefined) {
    missing -= last.length;
    yield last;
  }
  if (missing !== 0) throw new ContentDeleted();
}
