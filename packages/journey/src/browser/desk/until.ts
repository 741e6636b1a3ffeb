import { setTimeout as sleep } from 'node:timers/promises';

/** Generous: the machine runs a browser and several processes on two cores. */
const patienceMs = 60_000;

/** Waits for what no page shows; `expect.poll` works inside of tests only. @throws what did not come, by its name */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await sleep(100);
  }
}
