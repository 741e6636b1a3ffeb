import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import path from 'node:path';

/** The load of the last minute; above the number of cores, other processes make every figure worse. */
export const load = (): string => loadavg()[0]?.toFixed(1) ?? 'unknown';

/** The commit that is measured, with `+` when files differ from it; empty outside a checkout. */
function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: path.resolve(import.meta.dirname), encoding: 'utf8' }).trim();
    return `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`;
  } catch {
    return '';
  }
}

/** One line with what the figures of a run depend on: day, commit, processor, memory, Node and load. */
export function conditions(): string {
  const all = cpus();
  return [
    new Date().toISOString().slice(0, 10),
    commit(),
    `${all.length} cores ${all[0]?.model.trim() ?? ''}`.trim(),
    `${Math.round(totalmem() / 1024 ** 3)} GiB`,
    `Node ${process.versions.node}`,
    `load ${load()}`,
  ]
    .filter(Boolean)
    .join(', ');
}
