import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  chunkBytes,
  ContentDeleted,
  type ContentRef,
  dropContent,
  readContent,
  storeChunk,
} from './content.ts';
import { newId } from '../new-id.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { withOrganization } from '../with-organization.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

async function store(bytes: Buffer): Promise<ContentRef & { size: number }> {
  const content = { organizationId, contentId: newId(), size: bytes.length };
  for (let n = 0; n * chunkBytes < bytes.length; n += 1)
    await storeChunk(database, content, { n, bytes: bytes.subarray(n * chunkBytes, (n + 1) * chunkBytes) });
  return content;
}

async function readAll(content: ContentRef & { size: number }): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of readContent(database, content)) parts.push(part);
  return Buffer.concat(parts);
}

describe('content', () => {
  it.each([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 4 * chunkBytes, 9 * chunkBytes + 7])(
    'of %i bytes is read back unchanged',
    async (size) => {
      const bytes = randomBytes(size);
      expect((await readAll(await store(bytes))).equals(bytes)).toBe(true);
    },
  );

  it('is kept compressed', async () => {
    const { contentId } = await store(Buffer.alloc(chunkBytes, 'the same again '));
    const { rows } = await withOrganization(database, organizationId, (trx) =>
      sql<{
        bytes: number;
      }>`select length(data) as bytes from file_chunk where content_id = ${contentId}`.execute(trx),
    );
    expect(rows[0]?.bytes).toBeLessThan(chunkBytes / 100);
  });

  it('is deleted with all its chunks', async () => {
    const content = await store(randomBytes(2 * chunkBytes));
    await dropContent(database, content);
    await expect(readAll(content)).rejects.toThrow(ContentDeleted);
    await dropContent(database, content);
  });

  it('that is deleted while it is read is an error, not a shorter content', async () => {
    const content = await store(randomBytes(9 * chunkBytes));
    let bytes = 0;
    const reading = (async () => {
      for await (const part of readContent(database, content)) {
        if (bytes === 0) await dropContent(database, content);
        bytes += part.length;
      }
    })();
    await expect(reading).rejects.toThrow(ContentDeleted);
    expect(bytes).toBeLessThan(content.size);
  });

  it('is not visible to another organization', async () => {
    const content = await store(Buffer.from('ours'));
    const other = await makeOrganization(database);
    await expect(readAll({ ...content, organizationId: other })).rejects.toThrow(ContentDeleted);
    await dropContent(database, { ...content, organizationId: other });
    expect((await readAll(content)).toString()).toBe('ours');
    await expect(
      storeChunk(database, { ...content, organizationId: other }, { n: 1, bytes: Buffer.from('theirs') }),
    ).rejects.toThrow(/foreign key/u);
  });

  it('holds no connection after any number of incomplete reads', async () => {
    const content = await store(randomBytes(9 * chunkBytes));
    for (let n = 0; n < 20; n += 1)
      for await (const part of readContent(database, content)) {
        expect(part).toHaveLength(chunkBytes);
        break;
      }
    await vi.waitFor(() => expect(database.pool.idleCount).toBe(database.pool.totalCount));
    expect((await readAll(content)).length).toBe(9 * chunkBytes);
  });
});
