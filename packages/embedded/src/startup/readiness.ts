import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './start-error.ts';

const pollMs = 100;
const timeoutMs = 120_000;

interface Wait {
  /** URL of the API on this machine. */
  base: string;
  /** False: wait for the API only, because without workers the product never reports ready. */
  workers: boolean;
  signal: AbortSignal;
  /** Called after each failed check with its reason. */
  onProblem: (problem: string) => void;
}

interface Part {
  name: string;
  ok: boolean;
  reason?: string;
}

/** Why the product is not ready; undefined when it is. */
async function checkReadiness(url: string): Promise<string | undefined> {
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
      ? 'the API does not answer in time'
      : 'the API has not started yet';
  }
}

/** Resolves when the product is ready. @throws StartError after two minutes, with the part that is not ready */
export async function waitUntilReady(wait: Wait): Promise<void> {
  const url = `${wait.base}/api/health/${wait.workers ? 'ready' : 'live'}`;
  const until = Date.now() + timeoutMs;
  for (;;) {
    const problem = await checkReadiness(url);
    if (problem === undefined) return;
    wait.onProblem(problem);
    if (Date.now() > until) throw new StartError(`Riskboard did not become ready: ${problem}.`);
    await sleep(pollMs, undefined, { signal: wait.signal });
  }
}
