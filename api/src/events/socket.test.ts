import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { WebSocket } from '@fastify/websocket';
import { closeCodes, eventTopic, type Job } from '@riskboard/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { memoryRelay } from '../testing/fakes/memory-relay.ts';
import { createHub } from './hub.ts';
import { liveEvent } from './live-event.ts';
import { eventSocket, type SocketEnd } from './socket.ts';

/** A connection whose client reads nothing once `bufferedAmount` is set. */
class FakeSocket extends EventEmitter {
  OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  sent: string[] = [];
  closed: number[] = [];
  send(message: Buffer): void {
    this.sent.push(String(message));
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

const event = (count: number) => liveEvent({ type: 'file.changed', action: 'updated', count, by: null });
const progress = (id: string, version: number) => liveEvent({ type: 'job.updated', job: job(id, version) });
const job = (_id: string, version: number) => ({ _id, version, kind: 'stix.parse', state: 'running' }) as Job;
const jobs = ({ sent }: FakeSocket) =>
  sent.map((text) => (JSON.parse(text) as { job: Job }).job).map(({ _id, version }) => `${_id}${version}`);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a ping of the client is answered, at most once a second; other messages are not', () => {
  const { raw } = start();
  const receive = (text: string, isBinary = false) => raw.emit('message', Buffer.from(text), isBinary);
  receive('ping');
  expect(raw.sent).toEqual(['{"type":"pong"}']);
  receive('ping');
  vi.advanceTimersByTime(1000);
  receive('ping', true);
  receive('ping ');
  expect(raw.sent).toHaveLength(1);
  receive('ping');
  expect(raw.sent).toHaveLength(2);
});

it('a slow client is closed with 1013 at the first message beyond 1 MiB, and reported with its unread bytes', () => {
  const { raw, ends, socket } = start();
  raw.bufferedAmount = 1024 * 1024;
  socket.deliver(event(1));
  expect(raw.closed).toEqual([]);
  raw.bufferedAmount += 1;
  socket.deliver(event(2));
  socket.deliver(event(3));
  expect(raw.sent).toEqual([]);
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
    readChanges: async () => [],
    onError: (error) => assert.fail(String(error)),
  });
  const [slow, quick] = [start(), start()];
  for (const { socket } of [slow, quick]) await hub.join({ organizationId: 'a', deliver: socket.deliver });
  slow.raw.bufferedAmount = 2 * 1024 * 1024;
  for (const n of [1, 2, 3]) await relay.port.publish(eventTopic('a'), { n });
  vi.advanceTimersByTime(20);
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

it('a client that reads more slowly than events occur stays connected and gets the newest state of each job', () => {
  const { raw, socket } = start();
  raw.bufferedAmount = 200 * 1024;
  for (let version = 1; version <= 100_000; version += 1)
    socket.deliver(progress(`job-${version % 10} `, version));
  vi.advanceTimersByTime(1000);
  expect(raw.sent).toEqual([]);
  raw.bufferedAmount = 0;
  vi.advanceTimersByTime(20);
  const newest = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((n) => `job-${n} ${n === 0 ? 100_000 : 99_990 + n}`);
  expect(jobs(raw)).toEqual(newest);
  socket.deliver(progress('job-1 ', 100_001));
  expect(jobs(raw).at(-1)).toBe('job-1 100001');
  expect(raw.closed).toEqual([]);
});

it('a burst of events is sent as the newest of each job, the first at once and the last in the end', async () => {
  const relay = memoryRelay();
  const hub = createHub({
    relay: relay.port,
    readMetrics: () => assert.fail('No number changed.'),
    readChanges: async () => [],
    onError: (error) => assert.fail(String(error)),
  });
  const { raw, socket } = start();
  await hub.join({ organizationId: 'a', deliver: socket.deliver });
  for (let version = 1; version <= 1000; version += 1)
    await relay.port.publish(eventTopic('a'), progress(version % 2 ? 'odd ' : 'even ', version).message);
  expect(jobs(raw)).toEqual(['odd 1']);
  vi.advanceTimersByTime(20);
  expect(jobs(raw)).toEqual(['odd 1', 'odd 999', 'even 1000']);
  await hub.close();
});
