import { setTimeout as sleep } from 'node:timers/promises';
import type { Say } from './say.ts';
import { type Service, silenceOf } from './services.ts';

/** With the second that a service is given to answer, a person reads within 3 s what is being waited for. */
const standard = { firstMs: 1500, everyMs: 15_000 };

export interface Waiting {
  services: readonly Service[];
  say: Say;
  /** What stands against going on although every service answers; told when it lasts. */
  problem?: () => string | undefined;
}

async function unanswered(services: readonly Service[]): Promise<string> {
  const silences = await Promise.all(
    services.map(async (service) => {
      const reason = await silenceOf(service);
      return reason === undefined ? [] : [`${service.name} (${reason})`];
    }),
  );
  return silences.flat().join(' and ');
}

/** Waits for work that waits for services, and says in one line which of them do not answer, now and again. */
export async function sayingWhy<T>(
  work: Promise<T>,
  { services, say, problem }: Waiting,
  { firstMs, everyMs } = standard,
): Promise<T> {
  const ended = new AbortController();
  const { signal } = ended;
  async function talk(): Promise<void> {
    await sleep(firstMs, undefined, { signal });
    for (let turn = 0; ; turn += 1) {
      const words = (await unanswered(services)) || (turn > 0 ? problem?.() : undefined);
      if (signal.aborted) return;
      if (words) say(`  Waiting for  ${words}`);
      await sleep(everyMs, undefined, { signal });
    }
  }
  // What ends it is the end of the work; nothing else in there throws.
  void talk().catch(() => undefined);
  try {
    return await work;
  } finally {
    ended.abort();
  }
}
