import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { badConfigurationExit } from '@riskboard/contract/environment';
import { StartError } from '../startup/start-error.ts';

/** unix(7): a socket's path has at most 108 bytes, on macOS 104, the closing zero among them. */
const maxSocketPath = 103;

function socketPath(folder: string, name: string): string {
  const absolute = join(folder, name);
  const path = [absolute, relative(process.cwd(), absolute)].find(
    (it) => Buffer.byteLength(it) <= maxSocketPath,
  );
  if (path === undefined)
    throw new StartError(
      `The path of DATA_DIR is too long for the sockets in it, which have at most ${maxSocketPath} bytes: set DATA_DIR to a shorter one (${folder}).`,
      { exitCode: badConfigurationExit },
    );
  return path;
}

/** The number of a lock's socket; `supervisor.sock` is that of an earlier version. */
function lockNumber(name: string): number | undefined {
  if (name === 'supervisor.sock') return 0;
  const digits = /^lock-(\d+)\.sock$/u.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Answers to a connection when no process listens: a killed one, or one that ended meanwhile. */
const ended: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT']);

/**
 * The process id sent over the socket; undefined when no process listens.
 * @throws StartError when that is unknown, such as for the socket of another user
 */
function lockHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', (cause: NodeJS.ErrnoException) => {
      if (ended.has(cause.code)) resolve(undefined);
      else
        reject(
          new StartError(
            `Riskboard may be running, perhaps as another user: ${path} cannot be checked (${cause.code}). Stop it, and delete this file when it is still there.`,
            { cause },
          ),
        );
    });
    socket.once('connect', () => {
      text(socket).then(resolve, () => resolve('unknown'));
    });
  });
}

/** The sockets in the folder except `own`. @throws StartError when a process listens or may listen at one of them */
async function endedLocks(folder: string, own?: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name !== own && lockNumber(name) !== undefined);
  for (const name of names) {
    const holder = await lockHolder(socketPath(folder, name));
    if (holder !== undefined)
      throw new StartError(
        `Riskboard is already running on ${folder} (process ${holder}). Stop it first, or set another DATA_DIR.`,
      );
  }
  return names;
}

/** @returns false when another process has just created the socket */
async function listen(server: Server, path: string): Promise<boolean> {
  try {
    // Another user of the folder, such as root, must be able to check whether this process runs.
    server.listen({ path, writableAll: true });
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** Listens at a number above those of ended locks: of several processes that start at once, one creates that socket. */
async function listenAtNext(server: Server, folder: string): Promise<string> {
  for (;;) {
    const names = await endedLocks(folder);
    const next = Math.max(0, ...names.map((name) => lockNumber(name) ?? 0)) + 1;
    const name = `lock-${next}.sock`;
    if (await listen(server, socketPath(folder, name))) return name;
  }
}

/**
 * Locks the data folder for this process. The kernel closes the socket when the process ends for any reason, so a
 * killed process holds no lock. Its socket is removed only after the next lock is held: one that is removed before could
 * be that of a process which has just started. @returns a function that releases the lock. @throws StartError when another
 * instance holds it.
 */
export async function lockInstance(folder: string): Promise<() => Promise<void>> {
  const server = createServer((socket) => {
    // The client may disconnect without reading.
    socket.on('error', () => {});
    socket.end(String(process.pid));
  });
  const release = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  const own = await listenAtNext(server, folder);
  server.unref();
  try {
    // Between creating a socket and listening at it, a process seems to have ended.
    for (const name of await endedLocks(folder, own)) await rm(join(folder, name), { force: true });
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}
