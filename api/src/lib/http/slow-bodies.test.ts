import { EventEmitter } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { minimumRates, refuseSlowBodies } from './slow-bodies.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Receives a body for at most ten minutes. @returns the seconds after which its request is ended; undefined: never */
function secondsUntilEnded(contentType: string, bytesIn20s: number): number | undefined {
  const socket = { bytesRead: 0 };
  const destroy = vi.fn<() => void>();
  const raw = Object.assign(new EventEmitter(), { socket, destroy, readableLength: 0 });
  const headers = { 'content-type': contentType, 'content-length': '1000000' };
  const request = { headers, raw, log: { warn: () => undefined } };
  const addHook = (_name: string, onRequest: (...args: unknown[]) => Promise<void>) =>
    void onRequest(request, { raw: { headersSent: false } });
  refuseSlowBodies({ addHook } as unknown as FastifyInstance, minimumRates);
  for (let seconds = 20; seconds <= 600; seconds += 20) {
    socket.bytesRead += bytesIn20s;
    vi.advanceTimersByTime(20_000);
    if (destroy.mock.calls.length > 0) return seconds;
  }
  raw.emit('close');
  return undefined;
}

const [upload, json] = ['multipart/form-data; boundary=x', 'application/json'];

it.each([
  [upload, 16 * 1024, undefined],
  [upload, 16 * 1024 - 1, 20],
  [json, 64 * 1024 - 1, 20],
  [json, 64 * 1024, 60],
  [json, 1024 * 1024, 60],
])('a body of %s that sends %i bytes in 20 s is ended after %s seconds', (contentType, bytes, seconds) => {
  expect(secondsUntilEnded(contentType, bytes)).toBe(seconds);
});
