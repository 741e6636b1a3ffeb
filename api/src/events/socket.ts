import { closeCodes } from '@riskboard/contract';
import type { WebSocket } from '@fastify/websocket';

/** A client with more unsent bytes is disconnected (contract, Jobs and events). */
const mostBufferedBytes = 1024 * 1024;
const pingEveryMs = 25_000;

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

/** Sends in order, holds events back until the snapshot is sent, pings, and limits its buffer. */
export interface EventSocket {
  /** Sends hello and snapshot, then the events that were held back. */
  open(messages: unknown[]): void;
  deliver(message: string): void;
  close(code: number, reason: string): void;
}

export function eventSocket(socket: WebSocket, onEnd: (end: SocketEnd) => void): EventSocket {
  let held: string[] | undefined = [];
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
  // ws has sent the close frame of a protocol error (RFC 6455, 7.4.1) before it reports it.
  socket.on('error', (error: Error & { code?: string }) => {
    decide(1006, error.code ?? error.message);
    socket.terminate();
  });
  socket.on('close', (code: number) => {
    clearInterval(pinging);
    const reason = code === closeCodes.startOver ? 'start over' : 'closed by the client';
    onEnd(decided ?? { code, reason, unsentBytes: socket.bufferedAmount });
  });

  function send(message: string): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > mostBufferedBytes) {
      close(closeCodes.tooSlow, 'too far behind');
      return;
    }
    socket.send(message);
  }

  /** Returns at once. A peer that does not read does not answer the close frame either. */
  function close(code: number, reason: string): void {
    decide(code, reason);
    held = undefined;
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), closeWithinMs).unref();
  }

  return {
    open(messages) {
      for (const message of messages) send(JSON.stringify(message));
      for (const message of held ?? []) send(message);
      held = undefined;
    },
    deliver(message) {
      if (held) held.push(message);
      else send(message);
    },
    close,
  };
}
