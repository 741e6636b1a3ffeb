import { closeCodes } from '@riskboard/contract';
import type { WebSocket } from '@fastify/websocket';

/** A client with more unsent bytes is disconnected (contract, Jobs and events). */
const mostBufferedBytes = 1024 * 1024;
const pingEveryMs = 25_000;

/** Sends in order, holds events back until the snapshot is sent, pings, and limits its buffer. */
export interface EventSocket {
  /** Sends hello and snapshot, then the events that were held back. */
  open(messages: unknown[]): void;
  deliver(message: string): void;
  close(code: number, reason: string): void;
}

export function eventSocket(socket: WebSocket): EventSocket {
  let held: string[] | undefined = [];
  let answered = true;

  const pinging = setInterval(() => {
    if (!answered) socket.terminate();
    answered = false;
    socket.ping();
  }, pingEveryMs);
  socket.on('pong', () => {
    answered = true;
  });
  socket.on('close', () => clearInterval(pinging));
  // An aborted connection is a normal end; without a listener it would end the process.
  socket.on('error', () => socket.terminate());

  function send(message: string): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > mostBufferedBytes) {
      close(closeCodes.tooSlow, 'too far behind');
      return;
    }
    socket.send(message);
  }

  /** A peer that does not read does not answer the close frame either. */
  function close(code: number, reason: string): void {
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), 2000).unref();
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
