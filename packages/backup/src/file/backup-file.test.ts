import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type End, type Header, type TableEnd, toJson } from './content.ts';
import { magic, readFrames, writeFrame } from './frames.ts';
import { readBackup } from './read-backup.ts';
import { RowCounter } from './row-counter.ts';
import { writeTable } from './write-table.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'riskboard-file-'));
  path = join(folder, 'one.backup');
});
afterAll(() => rm(folder, { recursive: true }));

/** A binary COPY as PostgreSQL writes it; null is a missing value. */
function copyOf(rows: readonly (readonly (string | null)[])[]): Buffer {
  const number = (value: number, bytes: 2 | 4): Buffer => {
    const buffer = Buffer.alloc(bytes);
    if (bytes === 2) buffer.writeInt16BE(value);
    else buffer.writeInt32BE(value);
    return buffer;
  };
  const parts = [Buffer.from('PGCOPY\n\u00FF\r\n\0', 'latin1'), number(0, 4), number(0, 4)];
  for (const row of rows) {
    parts.push(number(row.length, 2));
    for (const value of row)
      parts.push(number(value === null ? -1 : Buffer.byteLength(value), 4), Buffer.from(value ?? ''));
  }
  return Buffer.concat([...parts, number(-1, 2)]);
}

const tables = {
  empty: { columns: ['a'], rows: [] },
  names: {
    columns: ['a', 'b'],
    rows: [
      ['Ada', null],
      ['', 'ü'],
      ['x'.repeat(50), null],
    ],
  },
} as const;

async function* inParts(data: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

async function writeBackup(rowsOf = (name: keyof typeof tables): number => tables[name].rows.length) {
  await using file = await open(path, 'w');
  await file.writeFile(magic);
  const names = ['empty', 'names'] as const;
  const list = names.map((name) => ({ name, columns: [...tables[name].columns] }));
  const header: Header = {
    version: '1',
    createdAt: '2026-01-01T00:00:00.000Z',
    postgres: '18',
    migrations: ['0001-accounts'],
    tables: list,
    secrets: {},
    fingerprints: {},
  };
  await writeFrame(file, { type: 'header', content: toJson(header) });
  const ends: Record<string, TableEnd> = {};
  for (const [n, name] of names.entries()) {
    const table = list[n] ?? { name, columns: [] };
    const data = inParts(copyOf(tables[name].rows), 7);
    ends[name] = await writeTable(file, table, { data, rows: () => rowsOf(name) });
  }
  const end: End = { tables: ends, sequences: {} };
  await writeFrame(file, { type: 'end', content: toJson(end) });
}

const outcome = (): Promise<string> =>
  readBackup(path).then(
    () => 'accepted',
    (error: Error) => error.name,
  );

describe('a backup file', () => {
  it('is read back with the rows and bytes of each table', async () => {
    await writeBackup();
    const read: Record<string, Buffer> = {};
    const { end } = await readBackup(path, {
      async table({ name }, data) {
        const parts: Buffer[] = [];
        for await (const part of data) parts.push(part);
        read[name] = Buffer.concat(parts);
      },
    });
    expect(read).toEqual({ empty: copyOf(tables.empty.rows), names: copyOf(tables.names.rows) });
    expect([end.tables['empty']?.rows, end.tables['names']?.rows]).toEqual([0, 3]);
  });

  it('is refused when it is cut after any byte', async () => {
    await writeBackup();
    const whole = await readFile(path);
    for (let length = 0; length < whole.length; length += 1) {
      await writeFile(path, whole.subarray(0, length));
      expect([length, await outcome()]).toEqual([length, 'BackupError']);
    }
  });

  it('is refused when any byte is changed', async () => {
    await writeBackup();
    const whole = await readFile(path);
    for (let position = 0; position < whole.length; position += 1) {
      const changed = Buffer.from(whole);
      changed[position] = (changed[position] ?? 0) ^ 0x10;
      await writeFile(path, changed);
      expect([position, await outcome()]).toEqual([position, 'BackupError']);
    }
  });

  it('is refused when a whole part is missing, repeated, or follows its end', async () => {
    await writeBackup();
    const whole = await readFile(path);
    const offsets: number[] = [magic.length];
    {
      await using file = await open(path);
      for await (const { offset } of readFrames(file)) offsets.push(offset);
    }
    expect(offsets.length).toBeGreaterThan(7);
    for (const [n, end] of offsets.entries()) {
      const start = offsets[n - 1] ?? 0;
      const before = whole.subarray(0, start);
      for (const parts of [
        [before, whole.subarray(end)],
        [before, whole.subarray(start, end), whole.subarray(start)],
      ]) {
        await writeFile(path, Buffer.concat(parts));
        expect([n, await outcome()]).toEqual([n, 'BackupError']);
      }
    }
  });

  it('is refused when its number of rows differs from its data', async () => {
    await writeBackup((name) => (name === 'names' ? 4 : 0));
    await expect(readBackup(path)).rejects.toThrow('does not match its checksum');
  });

  it('of another program, or a folder, is refused with that reason', async () => {
    await writeFile(path, 'PGDMP and more');
    for (const other of [path, folder])
      await expect(readBackup(other)).rejects.toThrow('This is not a backup of Riskboard.');
  });
});

it.each([1, 2, 3, 19, 1000])('rows are counted when the data arrives in parts of %i bytes', (size) => {
  const counter = new RowCounter();
  const data = copyOf(tables.names.rows);
  for (let at = 0; at < data.length; at += size) counter.push(data.subarray(at, at + size));
  expect(counter.end()).toBe(3);
});
