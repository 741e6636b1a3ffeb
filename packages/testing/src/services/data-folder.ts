import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** Linux's file system in memory. */
const memory = '/dev/shm';

/** Free memory that the data of a test run must leave to the tests, in bytes. */
const needed = 8 * 1024 ** 3;

/**
 * Where the servers of a test run keep their data: in memory, on a machine that has enough of it, else in the folder for
 * temporary files. Each test database is a thousand files. ext4 does not use the number of a file that was removed in the
 * last minutes and looks at each of them whenever a file is created, which took a sixth of the time of all tests.
 */
export async function dataFolder(): Promise<string> {
  if (process.availableMemory() < needed) return tmpdir();
  const disk = await statfs(memory).catch(() => undefined);
  return disk !== undefined && disk.bavail * disk.bsize >= needed ? memory : tmpdir();
}
