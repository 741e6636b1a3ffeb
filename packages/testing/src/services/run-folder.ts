import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearOrphan, isAlive } from '@riskboard/embedded';

const prefix = 'riskboard-test-';

/** Linux's file system in memory. */
const memory = '/dev/shm';

/** Free memory that a folder in memory needs, in bytes; most of it is left to the tests. */
const needed = 8 * 1024 ** 3;

/**
 * Where the folder of a run is: in memory, on a machine that has enough of it, else with other temporary files. Each test
 * database is a thousand files. ext4 does not use the number of a file that was removed in the last minutes and looks at each
 * of them whenever a file is created, which took a sixth of the time of all tests.
 */
async function parentFolder(): Promise<string> {
  if (process.availableMemory() < needed) return tmpdir();
  const disk = await statfs(memory).catch(() => undefined);
  return disk !== undefined && disk.bavail * disk.bsize >= needed ? memory : tmpdir();
}

/** Removes what killed test runs left: first the servers that still run in their folders, then the folders. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length).split('-')[0]);
    if (!Number.isInteger(pid) || isAlive(pid)) continue;
    const folder = join(parent, name);
    await clearOrphan(join(folder, 'postgres'));
    await clearOrphan(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates the folder of this test run's servers; its name contains the process id, for later runs. */
export async function makeRunFolder(): Promise<string> {
  // In both: what a killed run left in memory may be why there is too little of it.
  for (const parent of [memory, tmpdir()]) await removeLeftovers(parent);
  const folder = await mkdtemp(join(await parentFolder(), `${prefix}${process.pid}-`));
  // The database's own user must be able to enter it when the tests run as root.
  await chmod(folder, 0o711);
  return folder;
}
