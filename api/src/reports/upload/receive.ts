import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { sniffReport } from '@riskboard/domain';
import {
  beginContent,
  chunkBytes,
  type ContentRef,
  type Database,
  dropContent,
  newId,
  storeChunk,
} from '@riskboard/db';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { Failure } from '../../lib/http/failure.ts';
import { decodeHead, type VersionScan, versionScan } from './version-scan.ts';

/** How much of a report is used to detect its kind. */
const headBytes = 64 * 1024;

export interface Received {
  contentId: string;
  size: number;
  sha256: Buffer;
  media: 'json' | 'xml';
  stixVersion: string | null;
}

/** @throws Failure 422 saying what the file is instead of a report. */
function identify(head: Buffer, complete: boolean): 'json' | 'xml' {
  const sniffed = sniffReport(decodeHead(head), complete);
  if ('refusal' in sniffed)
    throw new Failure('invalid', sniffed.refusal.message, {
      details: [{ path: 'stixFile', message: sniffed.refusal.message }],
    });
  return sniffed.media;
}

/** Cuts a stream into pieces of exactly one chunk; the last may be shorter. */
async function* slices(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    while (length >= chunkBytes) {
      const joined = Buffer.concat(parts, length);
      yield joined.subarray(0, chunkBytes);
      const rest = joined.subarray(chunkBytes);
      parts = [rest];
      length = rest.length;
    }
  }
  if (length > 0) yield Buffer.concat(parts, length);
}

type Parts = AsyncIterableIterator<Multipart>;

/** The file of a form, past the fields before it. */
export async function firstFile(parts: Parts): Promise<MultipartFile | undefined> {
  for (let next = await parts.next(); next.done !== true; next = await parts.next())
    if (next.value.type === 'file') return next.value;
  return undefined;
}

/**
 * Streams an upload into chunks while hashing it and looking at its head; it needs a few MiB of memory for a file of
 * any size. After a failure nothing of it is kept.
 * @throws Failure 413 beyond the limit, 422 for what is no report or more than one file, 400 when the form is cut
 * short.
 */
export async function receiveReport(
  database: Database,
  organizationId: string,
  { part, rest }: { part: MultipartFile; rest: Parts },
): Promise<Received> {
  const content: ContentRef = { organizationId, contentId: newId() };
  const hash = createHash('sha256');
  let size = 0;
  let n = 0;
  let kind: { media: 'json' | 'xml'; scan: VersionScan } | undefined;
  await beginContent(database, content);
  try {
    for await (const bytes of slices(part.file)) {
      if (part.file.truncated) throw new Failure('too_large');
      if (n === 0) {
        const media = identify(bytes.subarray(0, headBytes), bytes.length <= headBytes);
        kind = { media, scan: versionScan(media, bytes) };
      }
      kind?.scan.push(bytes);
      hash.update(bytes);
      size += bytes.length;
      await storeChunk(database, content, { n, bytes });
      n += 1;
    }
    if (part.file.truncated) throw new Failure('too_large');
    if (!kind)
      throw new Failure('invalid', 'The file is empty.', {
        details: [{ path: 'stixFile', message: 'The file is empty.' }],
      });
    // To the end of the form: a second file after this one is an error, not ignored.
    await firstFile(rest);
    const { media, scan } = kind;
    return { contentId: content.contentId, size, sha256: hash.digest(), media, stixVersion: scan.end() };
  } catch (error) {
    // Content that cannot be dropped now is incomplete, and so swept away later.
    await dropContent(database, content).catch(() => undefined);
    await drain(part);
    throw error;
  }
}

/** Reads on without keeping anything, so that the sender sees the answer instead of a broken connection. */
async function drain(part: MultipartFile): Promise<void> {
  if (part.file.destroyed || part.file.readableEnded) return;
  part.file.resume();
  await Promise.race([once(part.file, 'end'), once(part.file, 'close'), once(part.file, 'error')]);
}
