import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { WebSocket } from '@fastify/websocket';
import { closeCodes, eventTopic } from '@riskboard/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { memoryRelay } from '../testing/fakes/memory-relay.ts';
import { createHub } from './hub.ts';
import { eventSocket, type SocketEnd } from './socket.ts';

/** A connection whose client reads nothing once `bufferedAmount` is set. */
class FakeSocket extends EventEmitter {
  OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  sent: string[] = [];
  closed: number[] = [];
  send(message: string): void {
    this.sent.push(message);
  }
  ping(): void {}
  close(code: number): void {
    this.closed.push(code);
    this.readyState = 2;
  }
  terminate(): void {
    this.readyState = 3;
    this.emit('close', 1006);
  }
}

function start() {
  const raw = new FakeSocket();
  const ends: SocketEnd[] = [];
  const socket = eventSocket(raw as unknown as WebSocket, (end) => ends.push(end));
  socket.open([]);
  return { raw, ends, socket };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a slow client is closed with 1013 at the first message beyond 1 MiB, and reported with its unread bytes', () => {
  const { raw, ends, socket } = start();
  raw.bufferedAmount = 1024 * 1024;
  socket.deliver('still sent');
  raw.bufferedAmount += 1;
  socket.deliver('too far behind');
  socket.deliver('after the close');
  expect(raw.sent).toEqual(['still sent']);
  expect(raw.closed).toEqual([closeCodes.tooSlow]);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(ends).toEqual([
    { code: closeCodes.tooSlow, reason: 'too far behind', unsentBytes: 1024 * 1024 + 1 },
  ]);
});

it('other clients get every event in the same step in which a slow client is closed', async () => {
  const relay = memoryRelay();
  const hub = createHub({
    relay: relay.port,
    readMetrics: () => assert.fail('No number changed.'),
    onError: (error) => assert.fail(String(error)),
  });
  const [slow, quick] = [start(), start()];
  for (const { socket } of [slow, quick]) await hub.join({ organizationId: 'a', deliver: socket.deliver });
  slow.raw.bufferedAmount = 2 * 1024 * 1024;
  for (const n of [1, 2, 3]) await relay.port.publish(eventTopic('a', 'file.changed'), { n });
  expect(quick.raw.sent.map((text) => JSON.parse(text) as unknown)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(slow.raw.closed).toEqual([closeCodes.tooSlow]);
  await hub.close();
});

it('a client that does not answer a ping is ended, and reported so', () => {
  const { raw, ends } = start();
  vi.advanceTimersByTime(25_000);
  raw.emit('pong');
  vi.advanceTimersByTime(25_000);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(25_000);
  expect(ends).toEqual([{ code: 1006, reason: 'no answer to a ping', unsentBytes: 0 }]);
});

it('an end by the client is reported with its code, an invalid frame with the name of the fault', () => {
  const [left, invalid] = [start(), start()];
  left.raw.emit('close', 1001);
  invalid.raw.emit('error', Object.assign(new Error('text'), { code: 'WS_ERR_INVALID_UTF8' }));
  expect(left.ends).toEqual([{ code: 1001, reason: 'closed by the client', unsentBytes: 0 }]);
  expect(invalid.ends).toMatchObject([{ code: 1006, reason: 'WS_ERR_INVALID_UTF8' }]);
});
