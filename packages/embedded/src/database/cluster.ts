import { type ChildProcess, execFile, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, fstatSync, openSync, statSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { badConfigurationExit } from '@riskboard/contract/environment';
import { findBinaries } from './binaries.ts';
import { databaseFirst, endProcess } from '../process/end-process.ts';
import { freePort } from '../process/free-port.ts';
import type { Exit, Running } from '../process/keep-running.ts';
import { clearOrphan, readPostmaster } from './orphan.ts';
import { acceptsSocket } from './socket.ts';
import { StartError } from '../startup/start-error.ts';
import { databaseUser, mayUse, type SystemUser } from './system-user.ts';

const major = '18';
const attempts = 5;
const maxLogBytes = 8 * 1024 ** 2;

export interface ClusterOptions {
  /** Holds the data in `postgres/` and the log `postgres.log`. */
  home: string;
  /** Password of the superuser `postgres`. */
  password: string;
  /** Preferred port; another free one is used when it is in use. */
  port?: number;
  /** An earlier server of the same data, whose address running processes use: port and socket stay the same. */
  replaces?: Pick<Cluster, 'port' | 'hasSocket'> | undefined;
  /** Server settings by name. */
  settings?: Readonly<Record<string, string>>;
  /** Ends a start that is in progress. */
  signal?: AbortSignal | undefined;
}

export interface Cluster extends Running {
  port: number;
  pid: number;
  /** Listens on a UNIX socket in its data folder too. */
  hasSocket: boolean;
  /** URL of a database on this server for a role, over TCP. */
  url(role: { name: string; password: string }, database: string): string;
}

/**
 * The path of a data folder for a server that has it as working directory. A server that root starts runs as another
 * user, who may not enter the folders above (root's home is closed to others). Its working directory is set before the
 * user changes, and this link leads there without passing the folders above.
 */
const workingFolder = '/proc/self/cwd';

/** @throws StartError when the database's user cannot reach the data folder */
function pathFor(user: SystemUser | undefined, home: string, data: string): string {
  if (user === undefined) return data;
  if (existsSync(workingFolder)) return workingFolder;
  if (mayUse(user, 'enter', home)) return data;
  throw new StartError(
    `PostgreSQL does not run as root, and its user may not enter ${home}: set DATA_DIR to a folder that every user may enter.`,
    { exitCode: badConfigurationExit },
  );
}

/**
 * Character types in the order of preference, of which every machine has the last. The others know the letters of all scripts,
 * so that the trigram index holds them: macOS has C.UTF-8 from version 15 on, and UTF-8 before. Sort order and case are ICU's.
 */
const characterTypes = ['C.UTF-8', 'UTF-8', 'C'];

/** Runs with each character type until this machine has it. */
async function withCharacterType(
  run: (characterType: string) => Promise<void>,
  [first = '', ...others] = characterTypes,
): Promise<void> {
  try {
    await run(first);
  } catch (error) {
    const isUnknown = error instanceof StartError && error.message.includes('invalid locale name');
    if (!isUnknown || others.length === 0) throw error;
    await withCharacterType(run, others);
  }
}

/** Creates the data folder under a temporary name and renames it, so that an interrupted start leaves no partial folder. */
async function initialise(
  options: ClusterOptions,
  initdb: string,
  user: SystemUser | undefined,
): Promise<void> {
  const draft = join(options.home, 'postgres.draft');
  const passwordFile = join(options.home, 'postgres.password');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  if (user) await Promise.all([draft, passwordFile].map((path) => chown(path, user.uid, user.gid)));
  // ICU's root collation sorts names as users expect, the same on every machine, independent of its locales.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=und'];
  const access = ['--username=postgres', '--auth=scram-sha-256', '--pwfile=/dev/stdin'];
  const durability = options.settings?.['fsync'] === 'off' ? ['--no-sync'] : [];
  const folder = pathFor(user, options.home, draft);
  const args = [`--pgdata=${folder}`, '--no-instructions', ...access, ...locale, ...durability];
  try {
    await withCharacterType(async (characterType) => {
      await using password = await open(passwordFile);
      await runToEnd(initdb, [...args, `--lc-ctype=${characterType}`], {
        ...user,
        cwd: draft,
        env: { PATH: process.env['PATH'], LC_ALL: 'C' },
        stdio: [password.fd, 'ignore', 'pipe'],
      });
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, join(options.home, 'postgres'));
}

async function runToEnd(program: string, args: string[], options: SpawnOptions): Promise<void> {
  const child = spawn(program, args, options);
  const [output, [code]] = await Promise.all([
    child.stderr ? text(child.stderr) : '',
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new StartError(`${program} failed: ${output.trim().replaceAll(/\s*\n\s*/gu, '; ')}`);
}

interface Launched {
  server: ChildProcess;
  /** Bytes of the log before this start. */
  logged: number;
}

/** Appends to the log; a start truncates it above a size limit. */
function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return openSync(path, size > maxLogBytes ? 'w' : 'a', 0o600);
}

function launch(
  options: ClusterOptions & Pick<Cluster, 'port' | 'hasSocket'>,
  postgres: string,
  user: SystemUser | undefined,
): Launched {
  const settings = {
    listen_addresses: '127.0.0.1',
    // Relative to the data folder, which is the working directory.
    unix_socket_directories: options.hasSocket ? '.' : '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openLog(join(options.home, 'postgres.log'));
  try {
    const data = join(options.home, 'postgres');
    const { size: logged } = fstatSync(log);
    const server = spawn(
      postgres,
      ['-D', pathFor(user, options.home, data), '-p', String(options.port), ...flags],
      {
        ...user,
        cwd: data,
        env: { PATH: process.env['PATH'], LC_ALL: 'C' },
        stdio: ['ignore', log, log],
        // Outside the terminal's process group: Ctrl-C must not reach it before the processes that use it.
        detached: true,
      },
    );
    return { server, logged };
  } finally {
    closeSync(log);
  }
}

/**
 * Waits until the server reports ready in its pid file, as pg_ctl does: as long as it lives, because recovery after a crash
 * may take minutes and begins anew in each start. @returns false when it ended instead, or the signal aborted
 */
async function becomesReady(server: ChildProcess, data: string, signal?: AbortSignal): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    if (signal?.aborted) return false;
    const postmaster = await readPostmaster(data);
    if (postmaster?.pid === server.pid && postmaster?.ready) return true;
    await sleep(20);
  }
  return false;
}

/** The last line of the log since a start that explains why the server did not start. */
async function startFailure(home: string, logged: number): Promise<string> {
  const log = await readFile(join(home, 'postgres.log')).catch(() => Buffer.alloc(0));
  const reasons = log
    .subarray(logged)
    .toString()
    .split('\n')
    .filter((line) => /FATAL|PANIC/.test(line));
  return reasons.at(-1)?.replace(/^.*?(FATAL|PANIC): +/, '') ?? 'no reason given';
}

async function checkData(data: string): Promise<void> {
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EACCES') throw cause;
    throw new StartError(`${data} belongs to another user: start Riskboard as that user.`, {
      cause,
    });
  });
  const dataVersion = version.trim();
  if (dataVersion !== major)
    throw new StartError(`${data} was created by PostgreSQL ${dataVersion}; this is PostgreSQL ${major}.`);
}

async function choosePort(options: ClusterOptions, attempt: number): Promise<number> {
  if (options.replaces) return options.replaces.port;
  return freePort(attempt === 1 ? options.port : 0);
}

/**
 * Starts a PostgreSQL server that listens on 127.0.0.1 and a UNIX socket only, and creates its data folder if missing.
 * Leftovers of a killed start are removed first.
 * @throws StartError when the server does not start, and the reason of the signal
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const data = join(options.home, 'postgres');
  const user = databaseUser(data);
  // A copy that root made belongs to root.
  if (user && statSync(data, { throwIfNoEntry: false })?.uid === 0)
    await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, data]);
  const { initdb, postgres } = await findBinaries(options.home, user);
  if (!existsSync(data)) await initialise(options, initdb, user);
  await checkData(data);
  await clearOrphan(data);
  const hasSocket = options.replaces?.hasSocket ?? (await acceptsSocket(data));
  let reason = '';
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    // Another program may take the port between the check and the server's bind, so try several times.
    const port = await choosePort(options, attempt);
    const { server, logged } = launch({ ...options, port, hasSocket }, postgres, user);
    if (await becomesReady(server, data, options.signal)) return running(server, { port, hasSocket });
    if (server.pid !== undefined) await endProcess(server.pid, databaseFirst);
    options.signal?.throwIfAborted();
    reason = await startFailure(options.home, logged);
    await sleep(attempt * 200);
  }
  throw new StartError(`PostgreSQL does not start: ${reason} (see ${options.home}/postgres.log)`);
}

function exitOf(server: ChildProcess): Promise<Exit> {
  const exit = (): Exit => ({
    code: server.exitCode,
    reason: server.signalCode ?? `exit code ${server.exitCode}`,
  });
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve(exit());
  return new Promise((resolve) => server.once('exit', () => resolve(exit())));
}

function running(server: ChildProcess, { port, hasSocket }: Pick<Cluster, 'port' | 'hasSocket'>): Cluster {
  const pid = server.pid ?? 0;
  const exited = exitOf(server);
  return {
    port,
    pid,
    hasSocket,
    url: (role, database) =>
      `postgres://${encodeURIComponent(role.name)}:${encodeURIComponent(role.password)}@127.0.0.1:${port}/${database}`,
    exited,
    async stop() {
      await Promise.all([endProcess(pid, databaseFirst), exited]);
    },
  };
}
