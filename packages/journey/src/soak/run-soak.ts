import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { seeded } from '../support/seeded.ts';
import { enter } from './clients/calls.ts';
import { type Crowd, runClient } from './clients/client.ts';
import type { Entry } from './history.ts';
import { becomesReady, type FaultKind, faults, injectFaults } from './nemesis.ts';
import { type Backend, type Installation, startInstallation } from '../installation/installation.ts';
import { readStored } from './stored-state.ts';
import { provoke, type VariantName } from './variants/variants.ts';

export interface SoakOptions {
  minutes: number;
  seed: number;
  backend: Backend;
  /** History; absent: not written. */
  file?: string;
  /** Naive variants of the product; with them, what they do wrong is provoked instead of random faults. */
  naive: readonly VariantName[];
  clients: number;
  /** Pause between two operations of a client, in milliseconds. */
  pauseMs: number;
}

const replaceSource = new URL('variants/replace-source.ts', import.meta.url).href;
const email = 'ada@example.org';
/** Time for the queue to become empty after the last fault. */
const settleMs = 120_000;

/** Runs clients and faults, then reads the database. Everything is written to the history file. */
export async function runSoak(options: SoakOptions, say: (line: string) => void): Promise<Entry[]> {
  const { minutes, seed, backend, naive } = options;
  const entries: Entry[] = [];
  const [file, log] = [options.file, options.file && `${options.file}.log`].map((name) =>
    name === undefined ? undefined : createWriteStream(name),
  );
  const write = (entry: Entry): void => {
    entries.push(entry);
    file?.write(`${JSON.stringify(entry)}\n`);
  };
  const installation = await startInstallation({
    backend,
    preload: naive.length > 0 ? [replaceSource] : [],
    env: { SOAK_VARIANT: naive.join(','), CWE_API_URL: '' },
    ...(log && { onOutput: (program: string, text: string) => void log.write(`${program}: ${text}`) }),
  });
  try {
    write({ type: 'run', seed, minutes, backend, naive, startedAt: new Date().toISOString() });
    if ((await enter(installation.origins[0] ?? '', 'signup', email)) === undefined)
      throw new Error('The sign-up failed.');
    const run = { options, installation, write, say };
    if (naive.length > 0) await provokeAll(run);
    else await underFaults(run);
    await settle(installation, naive.length > 0 ? 20_000 : settleMs);
    write(await readStored(installation.adminUrl));
    return entries;
  } finally {
    await installation.stop();
    file?.end();
    log?.end();
  }
}

interface Running {
  options: SoakOptions;
  installation: Installation;
  write(entry: Entry): void;
  say(line: string): void;
}

/** What the clients of a run share, for one of them. */
function crowdsOf({ options, installation, write }: Running): (client: number) => Crowd {
  const start = performance.now();
  const now = (): number => Math.round((performance.now() - start) * 10) / 10;
  let ids = 0;
  return (client) => ({
    origins: installation.origins,
    email,
    random: seeded(options.seed * 1000 + client),
    now,
    write,
    nextId: () => (ids += 1),
    largeReport: 1500,
    pauseMs: options.pauseMs,
    isOver: () => now() > options.minutes * 60_000,
  });
}

async function provokeAll(run: Running): Promise<void> {
  const crowd = crowdsOf(run);
  const admin = new Client({ connectionString: run.installation.adminUrl });
  // Reported by the statement that fails; PostgreSQL may also end the connection after a failed variant.
  admin.on('error', () => undefined);
  await admin.connect();
  for (const name of run.options.naive) await provoke[name]({ installation: run.installation, admin, crowd });
  await admin.end();
}

const kindsFor = (backend: string): FaultKind[] =>
  (Object.keys(faults) as FaultKind[]).filter((kind) => backend === 'Redis' || !kind.startsWith('Redis'));

async function underFaults(run: Running): Promise<void> {
  const { options, installation, say } = run;
  const counts = { operation: 0, fault: 0 };
  const write = (entry: Entry): void => {
    if (entry.type === 'operation' || entry.type === 'fault') counts[entry.type] += 1;
    run.write(entry);
  };
  const crowd = crowdsOf({ ...run, write });
  const { now, isOver } = crowd(0);
  const measure = (): void => {
    const programs = [...installation.apis, ...installation.workers];
    const processes = Object.fromEntries(programs.map((one) => [one.name, one.memory()]));
    write({ type: 'memory', at: now(), processes });
    const seconds = Math.round(now() / 1000);
    say(`${seconds} s: ${counts.operation} operations, ${counts.fault} faults, ${JSON.stringify(processes)}`);
  };
  measure();
  const timer = setInterval(measure, 60_000);
  const records = new Map<string, { id: string; version: number }>();
  await Promise.all([
    ...Array.from({ length: options.clients }, (_, client) => runClient(crowd(client), client, records)),
    injectFaults(installation, {
      random: seeded(options.seed),
      kinds: kindsFor(options.backend),
      pauseMs: 5000,
      now,
      write,
      isOver,
    }),
  ]);
  clearInterval(timer);
  measure();
}

/** Waits until both apis are ready and no job is unfinished; the checker reports what remains. */
async function settle(installation: Installation, withinMs: number): Promise<void> {
  await becomesReady(installation);
  const client = new Client({ connectionString: installation.adminUrl });
  await client.connect();
  const until = Date.now() + withinMs;
  while (Date.now() < until) {
    const { rows } = await client.query(`select from job where state in ('queued', 'running') limit 1`);
    if (rows.length === 0) break;
    await sleep(500);
  }
  await client.end();
}
