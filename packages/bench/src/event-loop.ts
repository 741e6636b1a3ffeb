import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Module that `startProduct` loads into each process whose event loop is measured. */
export const measureEventLoop = new URL('event-loop-child.ts', import.meta.url).href;

/** The longest time in ms for which the event loop of a process ran nothing else, since the last call. */
export async function longestBlock(child: ChildProcess): Promise<number> {
  const answered = once(child, 'message');
  child.send('blocked');
  const [{ blockedMs }] = (await answered) as [{ blockedMs: number }];
  return blockedMs;
}
