import { setTimeout as sleep } from 'node:timers/promises';
import { Relay as BullRelay, RelayError, RelayErrorCode, type RelaySubscription } from 'bullmq';
import { namesOf, type OnError, type QueueConfig } from './config.ts';
import { settles, within } from './connection/deadline.ts';
import type { BackendConnection } from './connection/connection.ts';
import { openConnection } from './connection/open.ts';
import { throttleErrors } from './connection/throttle-errors.ts';
import { openUntilReady, type Opened } from './connection/open-until-ready.ts';

/** `topic` is the topic of the publication, never a pattern. */
export type RelayHandler = (message: unknown, topic: string) => void | Promise<void>;

export interface Relay {
  /**
   * Sends to every subscriber in every process, in the order of the calls. At most once: a rejection (within about
   * a second) or a restart of the backend may lose a message, so no state may depend on having seen it.
   * @param topic dot-separated segments of `[A-Za-z0-9_:%-]`, at most 16 and 512 bytes
   * @param message any JSON value, at most 512 KiB as text
   */
  publish(topic: string, message: unknown): Promise<void>;
  /**
   * Resolves when messages published from now on arrive. What the handler throws or rejects goes to `onError`.
   * @param pattern a topic in which `*` is one segment and a last `>` one or more
   * @returns a function that ends the subscription
   */
  subscribe(pattern: string, handler: RelayHandler): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface RelayOptions {
  onError?: OnError;
  /** Called when messages may have been missed, because the backend lost this process for a while: refetch. */
  onGap?: () => void;
}

const answerMs = 1000;
const retryMs = 200;
/** A backend that lost its data knows this process again after at most this time. */
const heartbeatMs = 3000;
/** Three heartbeats: one registers this process again, the others are a margin for a busy machine. */
const subscribeMs = 3 * heartbeatMs;
const leaseMs = 15_000;

/**
 * Messages between processes. Wraps BullMQ's relay, which is marked experimental: nothing else may import it.
 * Each process has an inbox in the backend. On PostgreSQL that is a table, and NOTIFY (limit 8,000 bytes) carries
 * only the inbox's name.
 */
export function openRelay(config: QueueConfig, { onError, onGap }: RelayOptions = {}): Relay {
  const report = throttleErrors(onError ?? (() => undefined));
  const opening = openUntilReady(() => openBullRelay(config, { onError: report, onGap }), report);
  let last: Promise<unknown> = Promise.resolve();

  async function send(previous: Promise<unknown>, { topic, message, deadline }: Sending): Promise<void> {
    await previous;
    const relay = await opening.ready;
    // The caller already got a rejection; publishing now would only delay later messages.
    if (performance.now() < deadline) await relay.publish(topic, message);
  }

  return {
    publish(topic, message) {
      const deadline = performance.now() + answerMs;
      const sent = send(last, { topic, message, deadline });
      last = sent.catch(() => undefined);
      return within(answerMs, { what: 'relay.publish', work: sent });
    },
    async subscribe(pattern, handler) {
      const deadline = performance.now() + subscribeMs;
      const active = opening.ready.then((relay) =>
        subscribeUntilRegistered(relay, { pattern, handler, deadline }),
      );
      try {
        const subscription = await within(subscribeMs, { what: 'relay.subscribe', work: active });
        return () => subscription.unsubscribe();
      } catch (error) {
        active.then((late) => late.unsubscribe()).catch(() => undefined);
        throw error;
      }
    },
    close: () => opening.close(),
  };
}

interface Subscribing {
  pattern: string;
  handler: RelayHandler;
  /** By `performance.now()`. */
  deadline: number;
}

/** A backend that lost its data rejects subscriptions until the next heartbeat registers this process: retry until then. */
async function subscribeUntilRegistered(
  relay: BullRelay<BackendConnection>,
  { pattern, handler, deadline }: Subscribing,
): Promise<RelaySubscription> {
  for (;;) {
    try {
      return await relay.subscribe(pattern, ({ data, topic }) => handler(data, topic));
    } catch (error) {
      const unregistered = error instanceof RelayError && error.code === RelayErrorCode.NodeNotRegistered;
      if (!unregistered || performance.now() > deadline) throw error;
      await sleep(retryMs);
    }
  }
}

interface Sending {
  topic: string;
  message: unknown;
  /** By `performance.now()`. */
  deadline: number;
}

function openBullRelay(
  config: QueueConfig,
  { onError, onGap }: { onError: OnError; onGap: (() => void) | undefined },
): Opened<BullRelay<BackendConnection>> {
  const connection = openConnection(config, { answerMs, queueOffline: true, onError });
  const relay = new BullRelay<BackendConnection>({
    connection,
    backend: connection.relayBackend,
    namespace: namesOf(config).prefix,
    leaseDuration: leaseMs,
    heartbeatInterval: heartbeatMs,
  });
  relay.on('error', onError);
  relay.on('recovered', () => onGap?.());
  return {
    client: relay,
    ready: () => relay.waitUntilReady(),
    async close() {
      await settles(2000, relay.close());
      await connection.end();
    },
  };
}
