import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Loaded into a process of the product: answers how long its event loop was blocked since the last question. */
const everyMs = 2;
const delay = monitorEventLoopDelay({ resolution: everyMs });
delay.enable();
process.on('message', (message) => {
  if (message !== 'blocked') return;
  process.send?.({ blockedMs: Math.max(0, delay.max / 1e6 - everyMs) });
  delay.reset();
});
// The channel must not keep a process alive that has nothing more to do.
process.channel?.unref();
