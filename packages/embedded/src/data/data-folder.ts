import { lstat, mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { badConfigurationExit } from '@riskboard/contract/environment';
import { fullDiskCodes, fullDiskRemedy } from './disk-full.ts';
import { readJson, writePrivateJson } from './private-file.ts';
import { StartError } from '../startup/start-error.ts';

/** Settings that the embedded database keeps between starts, in `database.json` of the data folder. */
export interface DatabaseSettings {
  /** Where its files are. Written by an earlier version only: they are in the data folder now. */
  home?: string;
  port?: number;
  /** The product's database has been created, so a start without it must not create an empty one. */
  created?: true | undefined;
  /** State of the database and of the programs after the last complete preparation (database/prepared.ts). */
  prepared?: string | undefined;
  /** The demo organization is being made, or a process ended before it was complete (demo/incomplete-demo.ts). */
  demoIncomplete?: true | undefined;
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

interface Folder {
  path: string;
  /** For messages. */
  what: string;
  variable: string;
  mode: number;
}

/**
 * Creates the data folder with access for its owner only. Under root, others may traverse it, because the database runs
 * as another user. @throws StartError when it cannot be created, or accepts no files.
 */
export async function makeDataFolder(path: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  await makeWritable({ path, what: 'data folder', variable: 'DATA_DIR', mode });
}

/**
 * Creates the folder of the daily backups. A full disk does not end the start: the backup fails and readiness warns.
 * @throws StartError when it cannot be created, or accepts no files.
 */
export async function makeBackupFolder(path: string): Promise<void> {
  const folder = { path, what: 'folder of the backups', variable: 'BACKUP_DIR', mode: 0o700 };
  await makeWritable(folder, { mayBeFull: true });
}

async function makeWritable(folder: Folder, { mayBeFull = false } = {}): Promise<void> {
  const { path, what, variable, mode } = folder;
  try {
    await makeFolder(path, mode);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new StartError(
      `The ${what} ${path} cannot be created (${code}): set ${variable} to another folder.`,
      {
        exitCode: badConfigurationExit,
        cause,
      },
    );
  }
  await checkWritable(folder, mayBeFull);
}

const writeProblems: Readonly<Record<string, string>> = {
  EACCES: 'is not writable by this user: change its owner, or',
  EPERM: 'is not writable by this user: change its owner, or',
  EROFS: 'is read-only: mount it writable, or',
};

function writeProblem(code: string, variable: string): string {
  if (fullDiskCodes.has(code)) return fullDiskRemedy(variable);
  return `${writeProblems[code] ?? `is not writable (${code}):`} set ${variable} to another folder`;
}

/** Writes, because permissions alone show neither a read-only file system nor a full disk. */
async function checkWritable({ path, what, variable }: Folder, mayBeFull: boolean): Promise<void> {
  const probe = join(path, `.write-check-${process.pid}`);
  try {
    await writeFile(probe, Buffer.alloc(4096), { mode: 0o600, flush: true });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    if (mayBeFull && fullDiskCodes.has(code)) return;
    throw new StartError(`The ${what} ${path} ${writeProblem(code, variable)}.`, {
      exitCode: badConfigurationExit,
      cause,
    });
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
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

/** @returns the error for a data folder whose database cannot be used. */
const refused = (message: string): StartError => new StartError(message, { exitCode: badConfigurationExit });

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Refuses a data folder whose database is elsewhere, incomplete or lost. A start would use a database that a copy of
 * the folder uses too, or create an empty one. The lock of the data folder is then the lock of the database.
 * @throws StartError with the reason and the remedy
 */
export async function checkDatabase(folder: string): Promise<void> {
  const data = join(folder, 'postgres');
  if (await exists(data)) return checkData(folder, data);
  const { home, port, created } = await readDatabaseSettings(folder);
  if (home !== undefined && (await exists(join(home, 'postgres'))))
    throw refused(
      `The database of ${folder} is in ${home}: stop every Riskboard that uses it, then run: mv ${home}/postgres ${folder}/`,
    );
  if (created || port !== undefined)
    throw refused(
      `The database of ${folder} is missing: restore ${data} from a backup, or set DATA_DIR to a new folder to start empty.`,
    );
}

async function checkData(folder: string, data: string): Promise<void> {
  const real = await realpath(data).catch(() => 'a folder that does not exist');
  if (real !== join(await realpath(folder), 'postgres'))
    throw refused(
      `${data} is a link to ${real}: the database must be inside the data folder. Set DATA_DIR to the folder that holds it.`,
    );
  if (!(await exists(join(data, 'PG_VERSION'))))
    throw refused(`${data} is incomplete (PG_VERSION is missing): restore it from a backup.`);
}
