import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startCluster } from '@riskboard/embedded';
import { conditions, load } from './conditions.ts';
import { shown, spread } from './statistics.ts';

/** Issue 15, row 14: seconds until ready on an existing data folder, and MB of all processes together when idle. */
const bars = { seconds: 3, megabytes: 450 };
const runs = 5;
const idleMs = 10_000;
const root = path.resolve(import.meta.dirname, '../../..');

const home = await mkdtemp('/tmp/riskboard-bench-');
await chmod(home, 0o711);

interface Started {
  child: ChildProcess;
  seconds: number;
}

async function start(): Promise<Started> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [path.join(root, 'scripts/run.mjs'), 'start'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: path.join(home, 'data'), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The product ended with ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return { child, seconds: (performance.now() - began) / 1000 };
    await sleep(25);
  }
}

async function stop({ child }: Started): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
}

interface Process {
  pid: number;
  parent: number;
  command: string;
}

function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/u.test(name)) return [];
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(name), parent, command }];
    } catch {
      // It ended since the folder was listed.
      return [];
    }
  });
}

/** Proportional memory in MB of a process and all below it, by name (Linux, smaps_rollup). */
function memoryOf(pid: number): Map<string, number> {
  const all = processes();
  const found = new Map<string, number>();
  const queue = all.filter((one) => one.pid === pid);
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    const { pid: parent, command } = one;
    queue.push(...all.filter((other) => other.parent === parent));
    const rollup = readFileSync(`/proc/${parent}/smaps_rollup`, 'utf8');
    const megabytes = Number(/^Pss:\s+(\d+) kB/mu.exec(rollup)?.[1] ?? 0) / 1000;
    const name =
      /(api|worker|embedded)\/src\/main/u.exec(command)?.[1] ??
      /(run)\.mjs/u.exec(command)?.[1] ??
      (/postgres/u.test(command) ? 'postgres' : command.slice(0, 40));
    found.set(name, (found.get(name) ?? 0) + megabytes);
  }
  return found;
}

const sum = (figures: Iterable<number>): number => [...figures].reduce((total, one) => total + one, 0);

try {
  console.log(conditions());
  const began = performance.now();
  const alone = await startCluster({ home, password: 'bench' });
  const created = (performance.now() - began) / 1000;
  await alone.stop();
  const restarted = performance.now();
  const again = await startCluster({ home, password: 'bench' });
  console.log(
    `PostgreSQL alone: ${created.toFixed(1)} s with a new data folder, ${((performance.now() - restarted) / 1000).toFixed(2)} s with an existing one, ${sum(memoryOf(again.pid).values()).toFixed(0)} MB`,
  );
  await again.stop();

  const first = await start();
  console.log(`first start ${first.seconds.toFixed(1)} s, load ${load()}`);
  await sleep(30_000);
  await stop(first);
  const seconds: number[] = [];
  const megabytes: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = await start();
    seconds.push(started.seconds);
    await sleep(idleMs);
    const memory = memoryOf(started.child.pid ?? 0);
    megabytes.push(sum(memory.values()));
    console.log(
      `start ${run + 1}: ready after ${started.seconds.toFixed(2)} s; ${[...memory].map(([name, amount]) => `${name} ${amount.toFixed(0)}`).join(', ')} MB`,
    );
    await stop(started);
  }
  console.log(`ready after ${shown(spread(seconds), 2)} s (limit ${bars.seconds}), min / median / max`);
  console.log(`idle ${shown(spread(megabytes))} MB (limit ${bars.megabytes})`);
  const isWithin = spread(seconds).median <= bars.seconds && spread(megabytes).median <= bars.megabytes;
  process.exitCode = isWithin ? 0 : 1;
} finally {
  await rm(home, { recursive: true, force: true });
}
