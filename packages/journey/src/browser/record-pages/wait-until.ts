import { setTimeout as sleep } from 'node:timers/promises';

/** Generous, because a browser and several processes share two cores. */
const timeoutMs = 60_000;

/** Waits for a condition that no page shows; `expect.poll` works inside tests only. @throws when it stays false */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Timed out waiting for: ${what}`);
    await sleep(100);
  }
}
