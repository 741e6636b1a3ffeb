import { setTimeout as sleep } from 'node:timers/promises';
import type { Print } from './start-error.ts';
import { type Service, whyUnanswered } from './services.ts';

/** Together with the timeout of one second per service, the first line appears within 3 s. */
const standard = { firstMs: 1500, everyMs: 15_000 };

export interface Waiting {
  services: readonly Service[];
  print: Print;
  /** Why the work does not finish although every service answers; reported from the second line on. */
  problem?: () => string | undefined;
}

async function unanswered(services: readonly Service[]): Promise<string> {
  const reasons = await Promise.all(
    services.map(async (service) => {
      const reason = await whyUnanswered(service);
      return reason === undefined ? [] : [`${service.name} (${reason})`];
    }),
  );
  return reasons.flat().join(' and ');
}

/** Waits for work that depends on services, and prints at intervals one line with the services that do not answer. */
export async function reportWaiting<T>(
  work: Promise<T>,
  { services, print, problem }: Waiting,
  { firstMs, everyMs } = standard,
): Promise<T> {
  const ended = new AbortController();
  const { signal } = ended;
  async function report(): Promise<void> {
    await sleep(firstMs, undefined, { signal });
    for (let round = 0; ; round += 1) {
      const reason = (await unanswered(services)) || (round > 0 ? problem?.() : undefined);
      if (signal.aborted) return;
      if (reason) print(`  Waiting for  ${reason}`, 'warn');
      await sleep(everyMs, undefined, { signal });
    }
  }
  // Only the abort at the end of the work throws here.
  void report().catch(() => undefined);
  try {
    return await work;
  } finally {
    ended.abort();
  }
}
