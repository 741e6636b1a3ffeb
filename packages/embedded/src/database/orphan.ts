import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseFirst, endProcess } from '../process/end-process.ts';
import { removeSockets } from './socket.ts';

/** Every process of a database server has its data folder as working directory. */
async function processesIn(folder: string): Promise<number[]> {
  return platform() === 'linux' ? linuxProcessesIn(folder) : darwinProcessesIn(folder);
}

async function linuxProcessesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process may end meanwhile, and processes of other users are not readable.
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      return cwd === folder ? Number(pid) : undefined;
    }),
  );
  return found.filter((pid) => pid !== undefined);
}

async function darwinProcessesIn(folder: string): Promise<number[]> {
  const lsof = promisify(execFile)('lsof', ['-a', '-c', 'postgres', '-d', 'cwd', '-Fpn']);
  // lsof exits 1 when nothing matches.
  const { stdout } = await lsof.catch(() => ({ stdout: '' }));
  let pid = 0;
  const found: number[] = [];
  for (const line of stdout.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    if (line === `n${folder}`) found.push(pid);
  }
  return found;
}

/** Reads postmaster.pid: the first line is the server's process id, the eighth its state. */
export async function readPostmaster(folder: string): Promise<{ pid: number; ready: boolean } | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
}

/**
 * Removes what a killed start left in the data folder: a server that still runs, and its postmaster.pid and sockets. If
 * a process id in them now belongs to another program, PostgreSQL would take that for a running server. The caller holds the instance lock,
 * so no other instance uses that server. @returns whether a server was ended.
 */
export async function clearOrphan(folder: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return false;
  const servers = await processesIn(real);
  const postmaster = (await readPostmaster(real))?.pid;
  // The postmaster first: it ends its own processes.
  const order = servers.toSorted((a, b) => Number(b === postmaster) - Number(a === postmaster));
  for (const pid of order) {
    const ended = await endProcess(pid, databaseFirst);
    if (!ended) throw new Error(`process ${pid} still uses ${real} and cannot be ended`);
  }
  await removeSockets(real);
  // Last, because this file prevents a second server while any process of the old one lives.
  await rm(join(real, 'postmaster.pid'), { force: true });
  return servers.length > 0;
}
