import { randomBytes } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { badConfigurationExit } from '@riskboard/contract/environment';
import { readJson, writePrivateJson } from './private-file.ts';
import { StartError } from './say.ts';
import { databaseUser, mayUse } from './system-user.ts';

/** What the embedded database remembers from start to start, in `database.json` of the data folder. */
export interface DatabaseMemory {
  /** Where its files are, when the data folder itself is closed to its user. */
  home?: string;
  port?: number;
}

const memoryFile = (folder: string): string => join(folder, 'database.json');

export const recallDatabase = (folder: string): Promise<DatabaseMemory> => readJson(memoryFile(folder));

export async function rememberDatabase(folder: string, memory: DatabaseMemory): Promise<void> {
  const known = await recallDatabase(folder);
  if (Object.entries(memory).every(([name, value]) => known[name as keyof DatabaseMemory] === value)) return;
  await writePrivateJson(memoryFile(folder), { ...known, ...memory });
}

/**
 * Makes the data folder: closed to others; under root others may pass through, because the database runs under a user
 * of its own. @throws StartError when it cannot be made.
 */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    await makeFolder(path, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new StartError(`The data folder ${path} cannot be made (${code}): set DATA_DIR to one that can.`, {
      exitCode: badConfigurationExit,
      cause,
    });
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Step by step, because node's `recursive` tries without end in a folder that takes none, as /proc. */
async function makeFolder(path: string, mode: number): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent, mode);
  await mkdir(path, { mode }).catch(async (error: NodeJS.ErrnoException) => {
    // Made by somebody else in the meantime.
    if (error.code !== 'EEXIST' || !(await isFolder(path))) throw error;
  });
}

/**
 * Where the database's files go: the data folder; or, when the user that the database runs under may not enter that
 * (root's home is closed to others), a folder of its own under /var/lib, remembered in the data folder.
 */
export async function findDatabaseHome(folder: string): Promise<string> {
  const { home } = await recallDatabase(folder);
  const user = databaseUser(join(home ?? folder, 'postgres'));
  if (home === undefined && mayUse(user, 'enter', folder)) return folder;
  const reachable = home ?? `/var/lib/riskboard-${randomBytes(4).toString('hex')}`;
  await mkdir(reachable, { recursive: true, mode: 0o711 });
  if (!mayUse(user, 'enter', reachable)) {
    throw new StartError(
      `The database's user may enter neither ${folder} nor ${reachable}: set DATA_DIR to a folder that is open to it.`,
    );
  }
  await rememberDatabase(folder, { home: reachable });
  return reachable;
}
