import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './say.ts';

const pollMs = 100;
const patienceMs = 120_000;

interface Wait {
  /** Where this machine reaches the API. */
  base: string;
  /** Without workers the product is never ready in full; then it is enough that the API answers. */
  workers: boolean;
  signal: AbortSignal;
  /** Told what stands against readiness, whenever it was asked. */
  note: (problem: string) => void;
}

interface Part {
  name: string;
  ok: boolean;
  reason?: string;
}

/** What stands against readiness, in words; undefined when nothing does. */
async function ask(url: string): Promise<string | undefined> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(5000) });
    if (reply.ok) return undefined;
    const body = (await reply.json()) as { parts?: Part[]; message?: string };
    const failing = body.parts
      ?.filter((part) => !part.ok)
      .map((part) => `${part.name}: ${part.reason ?? 'not ready'}`);
    return failing?.join(', ') || body.message || `status ${reply.status}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError'
      ? 'the API is slow to answer'
      : 'the API is not up yet';
  }
}

/** Resolves when the product serves. @throws StartError after two minutes, naming the part that is missing. */
export async function waitUntilReady(wait: Wait): Promise<void> {
  const url = `${wait.base}/api/health/${wait.workers ? 'ready' : 'live'}`;
  const until = Date.now() + patienceMs;
  for (;;) {
    const problem = await ask(url);
    if (problem === undefined) return;
    wait.note(problem);
    if (Date.now() > until) throw new StartError(`Riskboard did not become ready: ${problem}.`);
    await sleep(pollMs, undefined, { signal: wait.signal });
  }
}
