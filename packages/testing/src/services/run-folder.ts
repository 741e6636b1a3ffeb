import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clearOrphan, isAlive } from '@riskboard/embedded';
import { dataFolder } from './data-folder.ts';

const prefix = 'riskboard-test-';

/** Removes what killed test runs left: first the servers that still run in their folders, then the folders. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
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
  const parent = await dataFolder();
  await removeLeftovers(parent);
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  // The database's own user must be able to enter it when the tests run as root.
  await chmod(folder, 0o711);
  return folder;
}
