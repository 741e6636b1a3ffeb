import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import type { Database } from '../connection/client.ts';
import { withOrganization } from '../with-organization.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Bytes of a report that one row holds, before compression. */
export const chunkBytes = 1024 * 1024;
/** One buffer for a whole chunk, instead of 64 that are concatenated on the main thread. */
const whole = { chunkSize: chunkBytes };
const fast = { ...whole, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The content of one file of an organisation. */
export interface ContentRef {
  organizationId: string;
  contentId: string;
}

export async function beginContent(
  database: Database,
  { organizationId, contentId }: ContentRef,
): Promise<void> {
  await withOrganization(database, organizationId, (trx) =>
    trx.insertInto('file_content').values({ organization_id: organizationId, id: contentId }).execute(),
  );
}

/**
 * Stores the n-th MiB. Committed asynchronously: the later commit that makes the file visible also flushes this one.
 */
export async function storeChunk(
  database: Database,
  { organizationId, contentId }: ContentRef,
  chunk: { n: number; bytes: Buffer },
): Promise<void> {
  const data = await compress(chunk.bytes, fast);
  await withOrganization(database, organizationId, async (trx) => {
    await sql`set local synchronous_commit = off`.execute(trx);
    await trx
      .insertInto('file_chunk')
      .values({ organization_id: organizationId, content_id: contentId, n: chunk.n, data })
      .execute();
  });
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

async function readChunks(database: Database, content: ContentRef, from: number): Promise<Buffer[]> {
  const rows = await withOrganization(database, content.organizationId, (trx) =>
    trx
      .selectFrom('file_chunk')
      .select('data')
      .where('content_id', '=', content.contentId)
      .where('n', '>=', from)
      .where('n', '<', from + perRead)
      .orderBy('n')
      .execute(),
  );
  return Promise.all(rows.map((row) => decompress(row.data, whole)));
}

/** The content was deleted while it was read: its report was replaced or deleted. */
export class ContentDeleted extends Error {
  constructor() {
    super('The report was replaced or deleted while it was read.');
  }
}

/**
 * The original bytes, a MiB at a time. Holds no connection between reads, and reads ahead by one while the caller
 * works on the last.
 * @param content `size`: its bytes, compared with the bytes that were read
 * @throws ContentDeleted when the content ends before its size
 */
export async function* readContent(
  database: Database,
  content: ContentRef & { size: number },
): AsyncGenerator<Buffer> {
  let missing = content.size;
  let ahead = readChunks(database, content, 0);
  for (let n = 0; ; n += perRead) {
    const chunks = await ahead;
    if (chunks.length === perRead) {
      ahead = readChunks(database, content, n + perRead);
      // Thrown by the next iteration; without one it must not be an unhandled rejection.
      ahead.catch(() => undefined);
    }
    for (const chunk of chunks) {
      missing -= chunk.length;
      yield chunk;
    }
    if (chunks.length === perRead) continue;
    if (missing !== 0) throw new ContentDeleted();
    return;
  }
}
