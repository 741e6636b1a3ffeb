import {
  chunkBytes,
  type Database,
  dropContent,
  newId,
  readContent,
  releaseMemory,
  storeChunk,
} from '@riskboard/db';
import type { Disk } from '../../health/disk.ts';
import { Failure } from '../../lib/http/failure.ts';
import { slices } from '../../lib/upload/store-upload.ts';

/** Where a form is kept. */
export interface Keeper {
  database: Database;
  disk: Disk;
}

/** What was read from a stream, independent of its source. */
export interface KeptForm {
  parts: AsyncIterable<Buffer> | readonly Buffer[];
  /** Deletes what was stored; never rejects. */
  drop(): Promise<void>;
}

/**
 * Reads a stream to its end, so that its source does not wait for a client. Up to a MiB stays in memory; more is stored
 * as content that is incomplete, which a worker deletes after two hours if `drop` was not called.
 * @throws what the stream throws, 507 when the disk of the database is full
 */
export async function keepForm(
  { database, disk }: Keeper,
  organizationId: string,
  stream: AsyncIterable<Buffer>,
): Promise<KeptForm> {
  const content = { organizationId, contentId: newId(), size: 0 };
  const drop = () => dropContent(database, content).catch(() => undefined);
  try {
    for await (const bytes of slices(stream)) {
      if (content.size === 0 && bytes.length < chunkBytes)
        return { parts: [bytes], drop: () => Promise.resolve() };
      if (await disk.isTooFullFor(chunkBytes)) throw new Failure('disk_full');
      await storeChunk(database, content, { n: content.size / chunkBytes, bytes });
      content.size += bytes.length;
      releaseMemory(bytes);
    }
    return { parts: readContent(database, content), drop };
  } catch (error) {
    await drop();
    throw error;
  }
}
