import { closeCodes, pingText, type ServerMessage } from '@riskboard/contract';
import type { WebSocket } from '@fastify/websocket';
import { type LiveEvent, WaitingEvents } from './live-event.ts';

/** A client with more unsent bytes is disconnected (contract, Jobs and events). */
const mostBufferedBytes = 1024 * 1024;
/** A client with more unsent bytes gets only the newest of each event once it has read to the lower limit. */
const behindBytes = 128 * 1024;
const caughtUpBytes = 32 * 1024;
const checkBehindMs = 20;
const pingEveryMs = 25_000;
/** A client that asks more often gets no further answer. */
const pongEveryMs = 1000;
const pong = Buffer.from(JSON.stringify({ type: 'pong' } satisfies ServerMessage));

/** The time that a closed client has to read what was sent before the close frame. */
const closeWithinMs = 10_000;

/** How a socket ended. */
export interface SocketEnd {
  /** Close code as received or sent; 1006: the connection broke without one. */
  code: number;
  reason: string;
  /** Bytes that the client had not read when the server decided to end the socket. */
  unsentBytes: number;
}

/**
 * Sends in order, holds events back until the snapshot is sent, pings, answers pings of the client, and limits its buffer. Events for a client that reads
 * more slowly than they occur are merged, so that it stays connected and gets the newest state.
 */
export interface EventSocket {
  /** Sends hello and snapshot, then the events that were held back. */
  open(messages: readonly Buffer[]): void;
  deliver(event: LiveEvent): void;
  close(code: number, reason: string): void;
}

export function eventSocket(socket: WebSocket, onEnd: (end: SocketEnd) => void): EventSocket {
  const waiting = new WaitingEvents();
  let isOpen = false;
  let catchingUp: ReturnType<typeof setInterval> | undefined;
  let answered = true;
  /** Why the server ends the socket; undefined: the client or the network did. */
  let decided: SocketEnd | undefined;

  function decide(code: number, reason: string): void {
    decided ??= { code, reason, unsentBytes: socket.bufferedAmount };
  }

  const pinging = setInterval(() => {
    if (answered) {
      answered = false;
      socket.ping();
      return;
    }
    decide(1006, 'no answer to a ping');
    socket.terminate();
  }, pingEveryMs);
  socket.on('pong', () => {
    answered = true;
  });
  let lastPong = -Infinity;
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const isPing = !isBinary && data.length === pingText.length && data.toString() === pingText;
    if (!isPing || performance.now() - lastPong < pongEveryMs) return;
    lastPong = performance.now();
    send(pong);
  });
  // ws has sent the close frame of a protocol error (RFC 6455, 7.4.1) before it reports it.
  socket.on('error', (error: Error & { code?: string }) => {
    decide(1006, error.code ?? error.message);
    socket.terminate();
  });
  socket.on('close', (code: number) => {
    clearInterval(pinging);
    clearInterval(catchingUp);
    waiting.clear();
    const reason = code === closeCodes.startOver ? 'start over' : 'closed by the client';
    onEnd(decided ?? { code, reason, unsentBytes: socket.bufferedAmount });
  });

  function send(data: Buffer): void {
    if (socket.readyState === socket.OPEN) socket.send(data, { binary: false });
  }

  /** Sends what waits until the client is behind again. */
  function catchUp(limit: number): void {
    if (socket.bufferedAmount > limit) return;
    while (socket.bufferedAmount <= behindBytes) {
      const event = waiting.take();
      if (event === undefined) break;
      send(event.data);
    }
    if (!waiting.isEmpty) return;
    clearInterval(catchingUp);
    catchingUp = undefined;
  }

  /** Returns at once. A peer that does not read does not answer the close frame either. */
  function close(code: number, reason: string): void {
    decide(code, reason);
    clearInterval(catchingUp);
    waiting.clear();
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), closeWithinMs).unref();
  }

  return {
    open(messages) {
      isOpen = true;
      for (const message of messages) send(message);
      catchUp(Infinity);
      if (!waiting.isEmpty) catchingUp = setInterval(catchUp, checkBehindMs, caughtUpBytes);
    },
    deliver(event) {
      if (socket.readyState !== socket.OPEN) return;
      if (isOpen && socket.bufferedAmount + waiting.bytes > mostBufferedBytes) {
        close(closeCodes.tooSlow, 'too far behind');
        return;
      }
      if (isOpen && waiting.isEmpty && socket.bufferedAmount <= behindBytes) {
        send(event.data);
        return;
      }
      waiting.add(event);
      if (isOpen) catchingUp ??= setInterval(catchUp, checkBehindMs, caughtUpBytes);
    },
    close,
  };
}
