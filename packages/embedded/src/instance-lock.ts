import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { StartError } from './say.ts';

/** unix(7): a socket's path has at most 108 bytes, on macOS 104, the closing zero among them. */
const maxSocketPath = 103;

function socketPath(folder: string): string {
  const absolute = join(folder, 'supervisor.sock');
  const path = [absolute, relative(process.cwd(), absolute)].find(
    (it) => Buffer.byteLength(it) <= maxSocketPath,
  );
  if (path === undefined) throw new StartError(`DATA_DIR is too long a path: ${folder}`);
  return path;
}

/** The process id that answers at the socket; undefined when nobody does. */
function whoAnswers(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => {
      text(socket).then(resolve, () => resolve('unknown'));
    });
  });
}

/**
 * Holds the data folder for this process. The kernel lets go of a socket when its process ends, however it ends, so a
 * killed start holds nothing. @returns the function that lets go. @throws StartError when another instance answers.
 */
export async function lockInstance(folder: string): Promise<() => Promise<void>> {
  const path = socketPath(folder);
  const other = await whoAnswers(path);
  if (other !== undefined) {
    throw new StartError(
      `Riskboard already runs on ${folder} (process ${other}). Stop it first, or give this one another DATA_DIR.`,
    );
  }
  await rm(path, { force: true });
  const server = createServer((socket) => {
    // Whoever asks may hang up without listening.
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
