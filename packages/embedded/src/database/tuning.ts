import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@riskboard/contract/environment';

const MiB = 1024 ** 2;
const GiB = 1024 * MiB;

const between = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(value, most));

/** A size as PostgreSQL reads it, in whole MB. */
const size = (bytes: number): string => `${Math.floor(bytes / MiB)}MB`;

/** Of the embedded PostgreSQL at least: the default processes, and tools of the operator. */
const leastConnections = 200;
/** For backups, commands, the housekeeping of the supervisor and administrators. */
const otherConnections = 20;

/** Of the pool of the system role, and of that of each part of the queue: producer, relay and, in workers, consumer. */
const poolSize = 4;

/** The connections that PostgreSQL must accept for one api and these workers: the limits of all their pools, and a reserve. */
export function neededConnections({
  WORKERS,
  WORKER_CONCURRENCY,
}: Pick<Environment, 'WORKERS' | 'WORKER_CONCURRENCY'>): number {
  const api = 12 + 3 * poolSize;
  const worker = 3 * WORKER_CONCURRENCY + 2 + 4 * poolSize;
  return Math.max(leastConnections, api + WORKERS * worker + otherConnections);
}

/**
 * Settings of the embedded PostgreSQL for a machine that also runs the processes of Riskboard. None of them weakens
 * durability: `fsync`, `synchronous_commit` and `full_page_writes` keep their defaults. What each is for, and what it was
 * measured to bring, is in docs/operations.md, "PostgreSQL settings".
 * @param memory of the machine or of the container, in bytes
 */
export function tunedSettings(
  memory: number,
  connections: number = leastConnections,
): Readonly<Record<string, string>> {
  return {
    max_connections: String(connections),
    // A server touches 2.3 % of it at its start; the system's cache holds what is beyond 1 GB.
    shared_buffers: size(between(64 * MiB, memory / 8, GiB)),
    effective_cache_size: size(between(128 * MiB, memory / 2, 64 * GiB)),
    work_mem: size(between(4 * MiB, memory / 1024, 32 * MiB)),
    maintenance_work_mem: size(between(32 * MiB, memory / 32, 512 * MiB)),
    random_page_cost: '1.1',
    autovacuum_naptime: '15s',
    autovacuum_analyze_scale_factor: '0.02',
    autovacuum_vacuum_scale_factor: '0.1',
    autovacuum_vacuum_insert_scale_factor: '0.1',
    // A commit flushes the log that has not been flushed: of a large transaction up to 200 ms of it by default.
    wal_writer_delay: '25ms',
  };
}

/** Files of control groups, version 2 and 1, that limit the memory of a container. */
const limitFiles = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'];

/** Memory that this process may use, in bytes: of the machine, or less where a control group limits it. */
export async function availableMemory(files: readonly string[] = limitFiles): Promise<number> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  const limits = texts.map(Number).filter((limit) => limit > 0);
  return Math.min(totalmem(), ...limits);
}

/**
 * Names of the settings that an operator has set with ALTER SYSTEM, which writes them to postgresql.auto.conf. Settings
 * of the command line would override them.
 */
export async function operatorSettings(data: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(data, 'postgresql.auto.conf'), 'utf8').catch(() => '');
  return new Set([...text.matchAll(/^\s*(\w+)\s*=/gmu)].map(([, name = '']) => name.toLowerCase()));
}

/** The tuned settings that the operator has not set. */
export async function settingsFor(
  data: string,
  connections?: number,
): Promise<Readonly<Record<string, string>>> {
  const [memory, own] = await Promise.all([availableMemory(), operatorSettings(data)]);
  const tuned = Object.entries(tunedSettings(memory, connections));
  return Object.fromEntries(tuned.filter(([name]) => !own.has(name)));
}
