import { setTimeout as sleep } from 'node:timers/promises';
import type { OnError } from '../config.ts';

/** A BullMQ object with its connections. */
export interface Opened<T> {
  client: T;
  ready(): Promise<unknown>;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface Reopening<T> {
  /** Resolves once the backend has answered; rejects when closed before. */
  ready: Promise<T>;
  close(): Promise<void>;
}

const pauseMs = 500;

/**
 * Opens repeatedly until the backend answers. BullMQ never recovers from a first failure to become ready, so a process
 * that starts while its database restarts would receive nothing for ever.
 */
export function openUntilReady<T>(open: () => Opened<T>, onError: OnError): Reopening<T> {
  const closing = new AbortController();
  let opened = open();
  const attempt = async (): Promise<T> => {
    try {
      await opened.ready();
      return opened.client;
    } catch (error) {
      closing.signal.throwIfAborted();
      onError(error as Error);
      await opened.close();
      await sleep(pauseMs, undefined, { signal: closing.signal });
      opened = open();
      return attempt();
    }
  };
  const ready = attempt();
  // Callers that wait get the rejection; without a caller it must not end the process.
  ready.catch(() => undefined);
  return {
    ready,
    async close() {
      closing.abort(new Error('Closed'));
      await opened.close();
    },
  };
}
