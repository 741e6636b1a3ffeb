import { readdirSync, readFileSync } from 'node:fs';

/** Fields of /proc/PID/stat after the name in parentheses (proc_pid_stat(5)): parent, then times in ticks. */
function stat(pid: number | string): { parent: number; ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, ticks: user + system + endedUser + endedSystem };
  } catch {
    return undefined;
  }
}

/** Ticks in a second: USER_HZ of every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Processor seconds of a process and of its children, also of children that ended (Linux). */
export function processorSeconds(pid: number): number {
  const children = readdirSync('/proc').flatMap((name) => {
    const child = /^\d+$/u.test(name) ? stat(name) : undefined;
    return child?.parent === pid ? [child.ticks] : [];
  });
  const own = stat(pid)?.ticks ?? 0;
  return children.reduce((sum, ticks) => sum + ticks, own) / ticksPerSecond;
}
