import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { asBackupError, BackupError } from '../backup-error.ts';
import { End, fromJson, Header, Table, TableEnd } from './content.ts';
import { type Frame, readFrames } from './frames.ts';
import { RowCounter } from './row-counter.ts';

const decompress = promisify(zstdDecompress);
/** A block is a megabyte and the last part that PostgreSQL sent: at most one row, which holds one chunk of a report. */
const longestBlock = { maxOutputLength: 1024 ** 3 };

type Frames = AsyncGenerator<Frame & { offset: number }>;

export interface BackupReader {
  /** Receives the data of one table, all of it. */
  table(table: Table, data: AsyncIterable<Buffer>): Promise<void>;
  /** Called with the offset in the file after each frame. */
  onOffset?: (offset: number) => void;
}

const wrongOrder = (): BackupError =>
  new BackupError('The file is damaged: its parts are in the wrong order.');

async function next(frames: Frames): Promise<Frame & { offset: number }> {
  const step = await frames.next();
  if (step.done) throw wrongOrder();
  return step.value;
}

/** The data of one table, up to its end frame, checked against it. */
async function* tableData(
  frames: Frames,
  onOffset: (offset: number) => void,
  onEnd: (end: TableEnd) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const counter = new RowCounter();
  let bytes = 0;
  for (;;) {
    const { type, content, offset } = await next(frames);
    onOffset(offset);
    if (type === 'data') {
      const block = await decompress(content, longestBlock);
      hash.update(block);
      counter.push(block);
      bytes += block.length;
      yield block;
      continue;
    }
    if (type !== 'tableEnd') throw wrongOrder();
    const end = fromJson(TableEnd, content);
    if (end.bytes !== bytes || end.rows !== counter.end() || end.sha256 !== hash.digest('hex'))
      throw new BackupError('The file is damaged: the data of a table does not match its checksum.');
    onEnd(end);
    return;
  }
}

async function readTables(
  frames: Frames,
  header: Header,
  { table: read, onOffset = () => undefined }: BackupReader,
): Promise<End> {
  const ends: Record<string, TableEnd> = {};
  for (const { name } of header.tables) {
    const { type, content } = await next(frames);
    if (type !== 'table') throw wrongOrder();
    const table = fromJson(Table, content);
    if (table.name !== name) throw wrongOrder();
    await read(
      table,
      tableData(frames, onOffset, (end) => void (ends[name] = end)),
    );
    if (ends[name] === undefined) throw new Error(`The data of ${name} was not read to its end.`);
  }
  const { type, content } = await next(frames);
  if (type !== 'end') throw wrongOrder();
  const end = fromJson(End, content);
  if (JSON.stringify(end.tables) !== JSON.stringify(ends)) throw wrongOrder();
  // Fails when the file continues after its end.
  await frames.next();
  return end;
}

async function openFile(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((error: unknown) => {
    throw asBackupError(`${path} cannot be read`, error);
  });
}

/**
 * Reads a backup from begin to end and checks everything: structure, checksums of frames and tables, numbers of rows.
 * Without a reader it only checks. @throws BackupError when anything is wrong
 */
export async function readBackup(
  path: string,
  reader: BackupReader = { table: discard },
): Promise<{ header: Header; end: End; size: number }> {
  await using file = await openFile(path);
  const frames = readFrames(file);
  const { type, content } = await next(frames);
  if (type !== 'header') throw wrongOrder();
  const header = fromJson(Header, content);
  const end = await readTables(frames, header, reader);
  return { header, end, size: (await file.stat()).size };
}

/** Reads the data of a table and drops it. */
export async function discard(_table: Table, data: AsyncIterable<Buffer>): Promise<void> {
  const iterator = data[Symbol.asyncIterator]();
  let step = await iterator.next();
  while (step.done !== true) step = await iterator.next();
}
