import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
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

/** `fetch`, or an import of the module, loads a client of 8 MB in 0.15 s, which the start has not. */
const { get } = process.getBuiltinModule('node:http');

/** Why the product is not ready; undefined when it is. */
async function checkReadiness(url: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(5000);
    const [reply] = (await once(get(url, { signal }), 'response')) as [IncomingMessage];
    if (reply.statusCode === 200) {
      reply.resume();
      return undefined;
    }
    const body = (await json(reply)) as { parts?: Part[]; message?: string };
    const failing = body.parts
      ?.filter((part) => !part.ok)
      .map((part) => `${part.name}: ${part.reason ?? 'not ready'}`);
    return failing?.join(', ') || body.message || `status ${reply.statusCode}`;
  } catch (error) {
    return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
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
