import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './start-error.ts';

const standard = {
  /** Between two checks. */
  pollMs: 100,
  /** Between two checks after `onUnready`. */
  slowPollMs: 1000,
  /** A start without any answer of the API has failed after this time. */
  silenceMs: 120_000,
  /** An API that answers is reported after this time, although a part is missing. */
  unreadyMs: 30_000,
};

interface Wait {
  /** URL of the API on this machine. */
  base: string;
  /** False: wait for the API only, because without workers the product never reports ready. */
  workers: boolean;
  signal: AbortSignal;
  /** Called after each failed check with its reason. */
  onProblem: (problem: string) => void;
  /** Called once when the API answers, but has not been ready for a while. */
  onUnready: (problem: string) => void;
}

interface Check {
  /** False: the API gave no answer. */
  isAnswer: boolean;
  /** Why the product is not ready; undefined when it is. */
  problem?: string;
}

/** `fetch`, or an import of the module, loads a client of 8 MB in 0.15 s, which the start has not. */
const { get } = process.getBuiltinModule('node:http');

async function checkReadiness(url: string): Promise<Check> {
  try {
    const signal = AbortSignal.timeout(5000);
    const [reply] = (await once(get(url, { signal }), 'response')) as [IncomingMessage];
    if (reply.statusCode === 200) {
      reply.resume();
      return { isAnswer: true };
    }
    const body = (await json(reply)) as { details?: { path: string; message: string }[]; message?: string };
    const failing = body.details?.map(({ path, message }) => `${path}: ${message}`).join(', ');
    return { isAnswer: true, problem: failing || body.message || `status ${reply.statusCode}` };
  } catch (error) {
    const isSlow = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
    const problem = isSlow ? 'the API does not answer in time' : 'the API has not started yet';
    return { isAnswer: false, problem };
  }
}

/**
 * Resolves when the product is ready. While the API answers, it waits without a limit: a missing part, such as Redis or
 * space on the disk, can return, and the API serves what does not need it.
 * @throws StartError when the API has not answered for two minutes
 */
export async function waitUntilReady(wait: Wait, limits = standard): Promise<void> {
  const url = `${wait.base}/api/health/${wait.workers ? 'ready' : 'live'}`;
  const unreadyAt = Date.now() + limits.unreadyMs;
  let answeredAt = Date.now();
  let isReported = false;
  for (;;) {
    const { isAnswer, problem } = await checkReadiness(url);
    if (problem === undefined) return;
    wait.onProblem(problem);
    if (isAnswer) answeredAt = Date.now();
    else if (Date.now() - answeredAt > limits.silenceMs)
      throw new StartError(`Riskboard did not become ready: ${problem}.`);
    if (isAnswer && !isReported && Date.now() > unreadyAt) {
      isReported = true;
      wait.onUnready(problem);
    }
    await sleep(isReported ? limits.slowPollMs : limits.pollMs, undefined, { signal: wait.signal });
  }
}
