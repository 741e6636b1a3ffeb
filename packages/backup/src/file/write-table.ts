import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { type Table, type TableEnd, toJson } from './content.ts';
import { writeFrame } from './frames.ts';

const compress = promisify(zstdCompress);

/** Bytes that are compressed together. */
const blockBytes = 1024 ** 2;
/** The chunks of reports are compressed already; the fastest level makes the rest small enough. */
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Splits data into blocks of `blockBytes`, the last one smaller. */
async function* blocks(data: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const part of data) {
    parts.push(part);
    length += part.length;
    if (length < blockBytes) continue;
    yield Buffer.concat(parts);
    [parts, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(parts);
}

/**
 * Writes one table to a backup file, in constant memory.
 * @param data a binary COPY; `rows` is called after its end
 */
export async function writeTable(
  file: FileHandle,
  table: Table,
  {
    data,
    rows,
    onBytes,
  }: { data: AsyncIterable<Buffer>; rows: () => number; onBytes?: (bytes: number) => void },
): Promise<TableEnd> {
  const hash = createHash('sha256');
  let bytes = 0;
  await writeFrame(file, { type: 'table', content: toJson(table) });
  for await (const block of blocks(data)) {
    hash.update(block);
    bytes += block.length;
    await writeFrame(file, { type: 'data', content: await compress(block, fast) });
    onBytes?.(block.length);
  }
  const end: TableEnd = { rows: rows(), bytes, sha256: hash.digest('hex') };
  await writeFrame(file, { type: 'tableEnd', content: toJson(end) });
  return end;
}
