import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { StartError } from '../startup/start-error.ts';

/** unix(7): a socket's path has at most 108 bytes, on macOS 104, the closing zero among them. */
const maxSocketPath = 103;

function socketPath(folder: string): string {
  const absolute = join(folder, 'supervisor.sock');
  const path = [absolute, relative(process.cwd(), absolute)].find(
    (it) => Buffer.byteLength(it) <= maxSocketPath,
  );
  if (path === undefined) throw new StartError(`The path of DATA_DIR is too long: ${folder}`);
  return path;
}

/** The process id sent over the socket; undefined when no process listens. */
function lockHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => {
      text(socket).then(resolve, () => resolve('unknown'));
    });
  });
}

/**
 * Locks the data folder for this process. The kernel closes the socket when the process ends for any reason, so a
 * killed process holds no lock. @returns a function that releases the lock. @throws StartError when another instance
 * holds it.
 */
export async function lockInstance(folder: string): Promise<() => Promise<void>> {
  const path = socketPath(folder);
  const other = await lockHolder(path);
  if (other !== undefined) {
    throw new StartError(
      `Riskboard is already running on ${folder} (process ${other}). Stop it first, or set another DATA_DIR.`,
    );
  }
  await rm(path, { force: true });
  const server = createServer((socket) => {
    // The client may disconnect without reading.
    socket.on('error', () => {});
    socket.end(String(process.pid));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.unref();
  return () => new Promise((resolve) => void server.close(() => resolve()));
}
