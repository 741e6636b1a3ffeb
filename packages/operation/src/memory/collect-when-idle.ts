import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two checks. */
const checkEveryMs = 5000;
const mebibyte = 1024 * 1024;

/**
 * A process collects when it used less than this share of one processor since the last check, and its memory has grown by
 * this many bytes since the last collection. A collection delays the requests of a process that serves some now and then, so
 * that such a process waits for more growth.
 */
const worthwhile = [
  { share: 0.1, grown: 48 * mebibyte },
  { share: 0.02, grown: 16 * mebibyte },
] as const;

/** What a check reads. */
export interface Usage {
  /** Resident memory, in bytes. */
  memory: number;
  /** Processor time since the start of the process, in milliseconds. */
  processorMs: number;
  /** By a monotonic clock, in milliseconds. */
  atMs: number;
}

function readUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return {
    memory: process.memoryUsage.rss(),
    processorMs: (user + system) / 1000,
    atMs: performance.now(),
  };
}

/** As V8 collects before it runs out of memory: twice, and what is free is returned to the system. */
const everything = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;

/**
 * @returns V8's collection of all garbage, which Node offers only behind a flag. An ordinary collection keeps the pages that
 * it has emptied (V8's memory pool, Node 24).
 */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: typeof everything) => void;
  return () => collect(everything);
}

/**
 * @param usage reads the use of the process
 * @param collect collects the garbage
 * @returns a check, to be called again and again: it collects when the process is idle and its memory has grown
 */
export function idleCheck(usage: () => Usage, collect: () => void): () => void {
  let last = usage();
  /** Memory after the last collection, or less. */
  let base = last.memory;
  return () => {
    const now = usage();
    const share = (now.processorMs - last.processorMs) / (now.atMs - last.atMs);
    last = now;
    base = Math.min(base, now.memory);
    const grown = now.memory - base;
    if (!worthwhile.some((least) => share < least.share && grown >= least.grown)) return;
    collect();
    last = usage();
    base = last.memory;
  };
}

/**
 * Returns the memory of a peak once the process is idle again. V8 collects only while a program allocates, so without this a
 * process keeps what it needed for a burst of events or a large report. The checks do not keep the process alive.
 */
export function collectWhenIdle(): void {
  setInterval(idleCheck(readUsage, garbageCollector()), checkEveryMs).unref();
}
