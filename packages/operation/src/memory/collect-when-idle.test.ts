import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { garbageCollector, idleCheck, type Usage } from './collect-when-idle.ts';

const mebibyte = 1024 * 1024;

/** A process that is checked every second. */
function checked() {
  const usage: Usage = { memory: 200 * mebibyte, processorMs: 0, atMs: 0 };
  const collect = vi.fn<() => void>();
  const check = idleCheck(() => ({ ...usage }), collect);
  return {
    collect,
    second(memory: number, processorMs: number): void {
      usage.memory = memory * mebibyte;
      usage.processorMs += processorMs;
      usage.atMs += 1000;
      check();
    },
  };
}

describe('the collection of garbage in an idle process', () => {
  it('waits for the end of the work, and happens once for a peak', () => {
    const { collect, second } = checked();
    second(400, 900);
    second(400, 200);
    expect(collect).not.toHaveBeenCalled();
    second(400, 20);
    expect(collect).toHaveBeenCalledOnce();
    // What remained is in use.
    second(400, 20);
    second(440, 20);
    expect(collect).toHaveBeenCalledOnce();
    second(450, 20);
    expect(collect).toHaveBeenCalledTimes(2);
  });

  it('happens after less growth in a process that does nearly nothing', () => {
    const { collect, second } = checked();
    second(220, 20);
    second(215, 10);
    expect(collect).not.toHaveBeenCalled();
    second(216, 10);
    expect(collect).toHaveBeenCalledOnce();
    second(231, 10);
    expect(collect).toHaveBeenCalledOnce();
  });

  it('does not happen without growth, and measures growth from the least memory', () => {
    const { collect, second } = checked();
    for (let n = 0; n < 10; n += 1) second(240, 20);
    expect(collect).not.toHaveBeenCalled();
    second(150, 20);
    second(200, 20);
    expect(collect).toHaveBeenCalledOnce();
  });

  it('frees what nothing refers to', async () => {
    const collect = garbageCollector();
    const dropped = new WeakRef(Array.from({ length: 1000 }, (_, n) => ({ n })));
    // A reference made in this turn of the event loop lives until its end.
    await new Promise((resolve) => setTimeout(resolve));
    collect();
    expect(dropped.deref()).toBeUndefined();
  });

  it('returns the memory of what it frees to the system', async () => {
    const script = `
      const { garbageCollector } = await import(${JSON.stringify(import.meta.resolve('./collect-when-idle.ts'))});
      const collect = garbageCollector();
      collect();
      const before = process.memoryUsage.rss();
      globalThis.peak = Array.from({ length: 300_000 }, (_, n) => ({ n, text: 'x'.repeat(100) + n }));
      const grown = process.memoryUsage.rss() - before;
      globalThis.peak = undefined;
      await new Promise((resolve) => setTimeout(resolve));
      collect();
      console.log(JSON.stringify({ grown, left: process.memoryUsage.rss() - before }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const { grown, left } = JSON.parse(stdout) as { grown: number; left: number };
    expect(grown).toBeGreaterThan(30 * mebibyte);
    expect(left).toBeLessThan(grown / 2);
  });
});
