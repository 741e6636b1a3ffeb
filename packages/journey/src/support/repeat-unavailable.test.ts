import { expect, it } from 'vitest';
import { repeatUnavailable } from './repeat-unavailable.ts';

/** A server that gives these answers in order. */
function serverOf(...answers: readonly (readonly [status: number, retryAfter?: string])[]) {
  const left = [...answers];
  const call = async (): Promise<Response> => {
    const [status, retryAfter] = left.shift() ?? [200];
    return new Response('', { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} });
  };
  return { call, left };
}

it('a call is repeated while it is answered 503 with Retry-After, no sooner than that says', async () => {
  const { call, left } = serverOf([503, '0.1'], [503, '0.1'], [201]);
  const began = performance.now();
  expect((await repeatUnavailable(call)).status).toBe(201);
  // A timer may end a millisecond early.
  expect(performance.now() - began).toBeGreaterThanOrEqual(190);
  expect(left).toEqual([]);
});

it.each([[500], [500, '0.1'], [503], [429, '0.1'], [200]] as const)(
  'an answer %s (Retry-After: %s) is final',
  async (status, retryAfter?: string) => {
    const { call, left } = serverOf([status, retryAfter], [201]);
    expect((await repeatUnavailable(call)).status).toBe(status);
    expect(left).toEqual([[201]]);
  },
);

it('a call is not repeated for longer than 30 seconds', async () => {
  const { call, left } = serverOf([503, '31'], [201]);
  expect((await repeatUnavailable(call)).status).toBe(503);
  expect(left).toEqual([[201]]);
});
