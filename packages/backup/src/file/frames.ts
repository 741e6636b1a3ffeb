import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { BackupError } from '../backup-error.ts';

/**
 * A backup file is `magic`, then frames. A frame: type (1 byte), length of its content (4 bytes, big endian), content,
 * CRC-32 of all before (4 bytes). Frames in order: a header (JSON); for each table its start (JSON), its data (blocks of
 * a binary COPY, each compressed with Zstandard), and its end (JSON: rows and SHA-256); the end of the file (JSON). A file
 * without its end is incomplete.
 */
export const magic = Buffer.from('RISKBOARD BACKUP 1\n');

const frameTypes = { header: 1, table: 2, data: 3, tableEnd: 4, end: 5 } as const;
export type FrameType = keyof typeof frameTypes;

const names = new Map(Object.entries(frameTypes).map(([name, type]) => [type as number, name as FrameType]));

/** Longest content: a block of data is at most a little larger than a megabyte, a header lists tables and columns. */
const longest = 64 * 1024 ** 2;
const prefixBytes = 5;
const checksumBytes = 4;

export interface Frame {
  type: FrameType;
  content: Buffer;
}

export async function writeFrame(file: FileHandle, { type, content }: Frame): Promise<void> {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt8(frameTypes[type], 0);
  prefix.writeUInt32BE(content.length, 1);
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(crc32(content, crc32(prefix)));
  await file.writeFile(Buffer.concat([prefix, content, checksum]));
}

const damaged = (offset: number): BackupError =>
  new BackupError(`The file is damaged at byte ${offset}: its checksum does not match. Use another backup.`);
const cut = (offset: number): BackupError =>
  new BackupError(`The file is incomplete: it ends at byte ${offset}. Copy it again, or use another backup.`);

/** Reads exactly `length` bytes. @throws BackupError when the file ends before */
async function readBytes(file: FileHandle, length: number, offset: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, offset + done);
    if (bytesRead === 0) throw cut(offset + done);
    done += bytesRead;
  }
  return buffer;
}

/**
 * Yields the frames of a file with the offset after each, up to the end frame.
 * @throws BackupError when the file is no backup, is damaged, incomplete, or continues after its end
 */
export async function* readFrames(file: FileHandle): AsyncGenerator<Frame & { offset: number }> {
  const stats = await file.stat();
  const { size } = stats;
  const start =
    !stats.isFile() || size < magic.length ? Buffer.alloc(0) : await readBytes(file, magic.length, 0);
  if (!start.equals(magic)) throw new BackupError('This is not a backup of Riskboard.');
  let offset = magic.length;
  for (;;) {
    const prefix = await readBytes(file, prefixBytes, offset);
    const type = names.get(prefix.readUInt8(0));
    const length = prefix.readUInt32BE(1);
    if (type === undefined || length > longest) throw damaged(offset);
    const rest = await readBytes(file, length + checksumBytes, offset + prefixBytes);
    const content = rest.subarray(0, length);
    if (rest.readUInt32BE(length) !== crc32(content, crc32(prefix))) throw damaged(offset);
    offset += prefixBytes + rest.length;
    yield { type, content, offset };
    if (type !== 'end') continue;
    if (offset !== size) throw damaged(offset);
    return;
  }
}
