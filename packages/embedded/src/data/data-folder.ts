import { randomBytes } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { badConfigurationExit } from '@riskboard/contract/environment';
import { readJson, writePrivateJson } from './private-file.ts';
import { StartError } from '../startup/start-error.ts';
import { databaseUser, mayUse } from '../database/system-user.ts';

/** Settings that the embedded database keeps between starts, in `database.json` of the data folder. */
export interface DatabaseSettings {
  /** Where its files are, when its user may not enter the data folder. */
  home?: string;
  port?: number;
}

const settingsFile = (folder: string): string => join(folder, 'database.json');

export const readDatabaseSettings = (folder: string): Promise<DatabaseSettings> =>
  readJson(settingsFile(folder));

export async function saveDatabaseSettings(folder: string, settings: DatabaseSettings): Promise<void> {
  const known = await readDatabaseSettings(folder);
  if (Object.entries(settings).every(([name, value]) => known[name as keyof DatabaseSettings] === value))
    return;
  await writePrivateJson(settingsFile(folder), { ...known, ...settings });
}

/**
 * Creates the data folder with access for its owner only. Under root, others may traverse it, because the database runs
 * as another user. @throws StartError when it cannot be created.
 */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    await makeFolder(path, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new StartError(
      `The data folder ${path} cannot be created (${code}): set DATA_DIR to another folder.`,
      {
        exitCode: badConfigurationExit,
        cause,
      },
    );
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** One level at a time, because node's `recursive` never returns in a folder that accepts no folders, such as /proc. */
async function makeFolder(path: string, mode: number): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent, mode);
  await mkdir(path, { mode }).catch(async (error: NodeJS.ErrnoException) => {
    // Another process created it meanwhile.
    if (error.code !== 'EEXIST' || !(await isFolder(path))) throw error;
  });
}

/**
 * The folder for the database's files: the data folder or, when the database's user may not enter it (root's home is
 * closed to others), a separate folder under /var/lib, whose path is stored in the data folder.
 */
export async function findDatabaseHome(folder: string): Promise<string> {
  const { home } = await readDatabaseSettings(folder);
  const user = databaseUser(join(home ?? folder, 'postgres'));
  if (home === undefined && mayUse(user, 'enter', folder)) return folder;
  const reachable = home ?? `/var/lib/riskboard-${randomBytes(4).toString('hex')}`;
  await mkdir(reachable, { recursive: true, mode: 0o711 });
  if (!mayUse(user, 'enter', reachable)) {
    throw new StartError(
      `The database's user may enter neither ${folder} nor ${reachable}: set DATA_DIR to a folder that it may enter.`,
    );
  }
  await saveDatabaseSettings(folder, { home: reachable });
  return reachable;
}
