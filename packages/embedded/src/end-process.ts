import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Signals in the order in which they are tried, each with the milliseconds that it gets. */
export type Escalation = readonly (readonly [NodeJS.Signals, number])[];

/** What a program of ours gets: time to finish its requests and jobs, then none (with the database's: under 30 s). */
export const drainFirst: Escalation = [
  ['SIGTERM', 24_000],
  ['SIGKILL', 1000],
];

/** PostgreSQL, "Shutting Down the Server": fast, immediate, and at last by force. */
export const databaseFirst: Escalation = [
  ['SIGINT', 3000],
  ['SIGQUIT', 1000],
  ['SIGKILL', 1000],
];

const pollMs = 20;

/** Sends a signal, 0 to ask only. @returns whether the process exists; one of another user counts. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In a container whose first process collects no orphans, an ended one keeps its number for ever. */
function isZombie(pid: number): boolean {
  if (platform() !== 'linux') return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the state follows the name, which stands in parentheses and may itself hold some.
    return stat.charAt(stat.lastIndexOf(')') + 2) === 'Z';
  } catch {
    return true;
  }
}

/** Whether a process with this id exists and has not ended. */
export const isAlive = (pid: number): boolean => signal(pid, 0) && !isZombie(pid);

/** Ends a process that need not be a child of ours. @returns whether it is gone. */
export async function endProcess(pid: number, escalation: Escalation): Promise<boolean> {
  for (const [name, patienceMs] of escalation) {
    if (!isAlive(pid)) return true;
    signal(pid, name);
    const until = Date.now() + patienceMs;
    while (isAlive(pid) && Date.now() < until) await sleep(pollMs);
  }
  return !isAlive(pid);
}
