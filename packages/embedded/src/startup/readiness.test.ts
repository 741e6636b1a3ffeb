import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../process/free-port.ts';
import { waitUntilReady } from './readiness.ts';

const limits = { pollMs: 1, slowPollMs: 1, silenceMs: 50, unreadyMs: 20 };

/** A wait for the API at this port, with what it reports. */
function waiting(port: number) {
  const reported = { problems: new Set<string>(), unready: new Array<string>() };
  const ended = waitUntilReady(
    {
      base: `http://127.0.0.1:${port}`,
      workers: true,
      signal: new AbortController().signal,
      onProblem: (problem) => reported.problems.add(problem),
      onUnready: (problem) => reported.unready.push(problem),
    },
    limits,
  );
  return { ended, reported };
}

describe('waitUntilReady', () => {
  it('fails when the API does not answer', async () => {
    const { ended, reported } = waiting(await freePort());
    await expect(ended).rejects.toMatchObject({
      name: 'StartError',
      message: 'Riskboard did not become ready: the API has not started yet.',
    });
    expect(reported.unready).toEqual([]);
  });

  it('waits without a limit while the API answers, and reports the missing part once', async () => {
    let isReady = false;
    const server = createServer((_request, response) => {
      response.statusCode = isReady ? 200 : 503;
      response.end(
        JSON.stringify({
          message: 'Not ready. queue: not reachable.',
          details: [{ path: 'queue', message: 'not reachable' }],
        }),
      );
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { ended, reported } = waiting((server.address() as AddressInfo).port);
    const long = Promise.withResolvers<string>();
    setTimeout(() => long.resolve('still waiting'), 6 * limits.silenceMs);
    expect(await Promise.race([ended, long.promise])).toBe('still waiting');
    expect([...reported.problems]).toEqual(['queue: not reachable']);
    expect(reported.unready).toEqual(['queue: not reachable']);
    isReady = true;
    await expect(ended).resolves.toBeUndefined();
  });
});
