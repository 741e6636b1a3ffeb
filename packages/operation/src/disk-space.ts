import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Bytes that stay free for the embedded PostgreSQL, which stops when it cannot extend its log: with less, no upload is
 * accepted and no job starts. `doctor` fails below it too.
 */
export const reservedBytes = 128 * 1024 ** 2;

/** The folder of the embedded database, which listens on this machine only; undefined: the database has another disk. */
export function embeddedFolder(databaseUrl: string, dataFolder: string): string | undefined {
  const isLocal = new URL(databaseUrl).hostname === '127.0.0.1';
  return isLocal && existsSync(join(dataFolder, 'database.json')) ? dataFolder : undefined;
}

/** The folder, or the nearest one above it that exists: both are on the same file system once the folder is created. */
export function existingFolder(folder: string): string {
  const path = resolve(folder);
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : existingFolder(parent);
}

/** Bytes that the file system of a folder has free; Infinity without a folder, or when it cannot be asked. */
export async function freeBytes(folder: string | undefined): Promise<number> {
  if (folder === undefined) return Infinity;
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Infinity,
  );
}
