import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/**
 * Longest path of a UNIX socket in bytes: macOS reserves 104 with the terminating null (unix(4)), Linux 108 (unix(7)). A
 * longer path is an error of the client.
 */
const longestPath = 103;

const greatestPort = 65_535;

/** What PostgreSQL calls its sockets and their lock files (PostgreSQL manual, unix_socket_directories). */
const prefix = '.s.PGSQL.';

const socketOf = (data: string, port: number): string => join(data, `${prefix}${port}`);

/**
 * Whether a server can have a UNIX socket in its data folder: the path is short enough, and the file system accepts
 * sockets, which some of those that are mounted from a host do not.
 */
export async function acceptsSocket(data: string): Promise<boolean> {
  if (Buffer.byteLength(socketOf(data, greatestPort)) > longestPath) return false;
  const server = createServer();
  try {
    // No server has this port, and the next start removes what is left of it.
    server.listen(socketOf(data, 0));
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Removes sockets and their lock files, for a data folder that no server uses. */
export async function removeSockets(data: string): Promise<void> {
  const names = (await readdir(data)).filter((name) => name.startsWith(prefix));
  await Promise.all(names.map((name) => rm(join(data, name), { force: true })));
}

/**
 * The same address over the UNIX socket of a running server, if it has one: a message takes less of both processors than over
 * TCP. Host and port stay in it for programs that show them.
 */
export function overSocket(url: string, data: string): string {
  const parsed = new URL(url);
  if (existsSync(socketOf(data, Number(parsed.port)))) parsed.searchParams.set('host', data);
  return parsed.href;
}
