import { getHeapStatistics } from 'node:v8';
import { garbageCollector } from './garbage-collector.ts';

/** A collection is worth its time, some 30 ms, when the heap has grown by this many bytes since the last one. */
const grownBytes = 16 * 1024 * 1024;

/**
 * @param used reads the bytes of the heap that are in use or garbage
 * @param collect collects the garbage
 * @returns a check, to be called during long work: it collects when the heap has grown since the last collection
 */
export function growthCheck(used: () => number, collect: () => void): () => void {
  let base = used();
  return () => {
    const now = used();
    // Less than before: V8 has collected.
    base = Math.min(base, now);
    if (now - base < grownBytes) return;
    collect();
    base = used();
  };
}

let check: (() => void) | undefined;

/**
 * Keeps the memory of long work constant, when called for each of its parts. V8 lets garbage that has survived its first
 * collections grow to several times what is in use, so that memory would depend on the length of the work.
 */
export function collectWhenGrown(): void {
  check ??= growthCheck(() => getHeapStatistics().used_heap_size, garbageCollector());
  check();
}
