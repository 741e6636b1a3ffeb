import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearOrphan, isAlive } from '@riskboard/embedded';

const prefix = 'riskboard-test-';

/** Removes what test runs that were killed have left, the servers that still run in their folders first. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length).split('-')[0]);
    if (!Number.isInteger(pid) || isAlive(pid)) continue;
    const folder = join(tmpdir(), name);
    await clearOrphan(join(folder, 'postgres'));
    await clearOrphan(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder of this test run, in which its servers run; its name tells a later run whose it was. */
export async function makeRunFolder(): Promise<string> {
  await sweep();
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  // The database's own user must be able to enter it when the tests run as root.
  await chmod(folder, 0o711);
  return folder;
}
