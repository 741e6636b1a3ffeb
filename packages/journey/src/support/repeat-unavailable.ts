import { setTimeout as sleep } from 'node:timers/promises';
import type { APIResponse } from 'playwright-core';

/** How long a call is repeated. */
const patienceMs = 30_000;

/** Milliseconds until a call may be repeated; undefined when the answer is final: only 503 with Retry-After is not. */
const pauseOf = (status: number, retryAfter: string | null | undefined): number | undefined => {
  const seconds = Number(retryAfter ?? 0);
  return status === 503 && seconds > 0 ? seconds * 1000 : undefined;
};

/**
 * Repeats a call while the answer is 503 with Retry-After, which the contract requires of a client, no sooner than the
 * answer says. @returns the first final answer, or the last one before 30 seconds have passed
 */
async function repeat<Answer>(
  call: () => Promise<Answer>,
  pauseAfter: (answer: Answer) => number | undefined,
): Promise<Answer> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const answer = await call();
    const pauseMs = pauseAfter(answer);
    if (pauseMs === undefined || Date.now() + pauseMs > until) return answer;
    await sleep(pauseMs);
  }
}

/** {@link repeat} for calls with `fetch`. */
export const repeatUnavailable = (call: () => Promise<Response>): Promise<Response> =>
  repeat(call, ({ status, headers }) => pauseOf(status, headers.get('retry-after')));

/** {@link repeat} for calls with the cookies of a browser. */
export const repeatUnavailableInBrowser = (call: () => Promise<APIResponse>): Promise<APIResponse> =>
  repeat(call, (answer) => pauseOf(answer.status(), answer.headers()['retry-after']));
