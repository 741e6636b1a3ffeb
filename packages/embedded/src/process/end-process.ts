import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Signals in the order in which they are sent, each with its timeout in milliseconds. */
export type Escalation = readonly (readonly [NodeJS.Signals, number])[];

/** For programs of the product: time to finish requests and jobs, then a kill (under 30 s together with the database). */
export const drainFirst: Escalation = [
  ['SIGTERM', 24_000],
  ['SIGKILL', 1000],
];

/** PostgreSQL, "Shutting Down the Server": fast, immediate, and a kill. */
export const databaseFirst: Escalation = [
  ['SIGINT', 3000],
  ['SIGQUIT', 1000],
  ['SIGKILL', 1000],
];

const pollMs = 20;

/** Sends a signal; 0 only checks. @returns whether the process exists, of any user */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In a container whose init process does not reap orphans, an ended process keeps its id. */
function isZombie(pid: number): boolean {
  if (platform() !== 'linux') return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the state follows the name, which is in parentheses and may contain parentheses.
    return stat.charAt(stat.lastIndexOf(')') + 2) === 'Z';
  } catch {
    return true;
  }
}

/** Whether a process with this id exists and has not ended. */
export const isAlive = (pid: number): boolean => signal(pid, 0) && !isZombie(pid);

/** Ends any process, not only a child. @returns whether it has ended */
export async function endProcess(pid: number, escalation: Escalation): Promise<boolean> {
  for (const [name, timeoutMs] of escalation) {
    if (!isAlive(pid)) return true;
    signal(pid, name);
    const until = Date.now() + timeoutMs;
    while (isAlive(pid) && Date.now() < until) await sleep(pollMs);
  }
  return !isAlive(pid);
}
