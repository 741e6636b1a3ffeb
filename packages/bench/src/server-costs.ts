import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';

/** What the database server and other processes have done since their start. */
interface Costs {
  commits: number;
  /** Flushes of the write-ahead log. */
  flushes: number;
  walBytes: number;
  /** Milliseconds of processor time of the server with all its sessions. */
  serverMs: number;
  /** Of the given processes together. */
  processMs: number;
}

/** Clock ticks per second of `/proc`. */
const ticks = 100;

/** The fields of `/proc/PID/stat` after the name, which may contain blanks; empty for a process that has ended. */
function statOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}

const milliseconds = (fields: readonly string[]): number =>
  (fields.reduce((total, field) => total + Number(field), 0) / ticks) * 1000;

/** Processor time of a process; `withEnded`: with that of its children that have ended. */
const processorTime = (pid: number, withEnded = false): number =>
  milliseconds(statOf(pid).slice(11, withEnded ? 15 : 13));

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  return pids.map(Number).filter((pid) => statOf(pid)[1] === String(parent));
}

const sum = (figures: readonly number[]): number => figures.reduce((total, one) => total + one, 0);

/** Reads the counters of the server and the processor time of it and of `processes`; Linux only. */
export async function readCosts(
  admin: Client,
  { postmaster, processes }: { postmaster: number; processes: readonly number[] },
): Promise<Costs> {
  const { rows } = await admin.query<Pick<Costs, 'commits' | 'flushes' | 'walBytes'>>(`
    select (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits,
      (select coalesce(sum(fsyncs), 0)::float8 from pg_stat_io where object = 'wal') as flushes,
      (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as "walBytes"`);
  const found = rows[0] ?? { commits: 0, flushes: 0, walBytes: 0 };
  return {
    ...found,
    serverMs: processorTime(postmaster, true) + sum(childrenOf(postmaster).map((pid) => processorTime(pid))),
    processMs: sum(processes.map((pid) => processorTime(pid))),
  };
}

/** What each of `count` things has cost between two readings, as text. */
export function costsOfEach(before: Costs, after: Costs, count: number): string {
  const each = (name: keyof Costs) => (after[name] - before[name]) / count;
  return [
    `processor time ${each('processMs').toFixed(1)} ms of the processes`,
    `${each('serverMs').toFixed(1)} ms of the server`,
    `${each('commits').toFixed(1)} commits`,
    `${each('flushes').toFixed(2)} flushes`,
    `${(each('walBytes') / 1024).toFixed(1)} KiB of WAL`,
  ].join(', ');
}
