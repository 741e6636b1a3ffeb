import { setTimeout as sleep } from 'node:timers/promises';
import { Relay as BullRelay, RelayError, RelayErrorCode, type RelaySubscription } from 'bullmq';
import { namesOf, type OnError, type QueueConfig } from './config.ts';
import { settles, within } from './connection/deadline.ts';
import type { BackendConnection } from './connection/connection.ts';
import { openConnection } from './connection/open.ts';
import { lengthOfBatch, packed, type Publication, unpacked } from './relay-batch.ts';
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
  const queue: Waiting[] = [];
  let isSending = false;

  async function sendNext(relay: BullRelay<BackendConnection>): Promise<void> {
    // The caller of an older one already got a rejection; publishing it now would only delay later messages.
    const batch = queue
      .splice(0, lengthOfBatch(queue))
      .filter(({ deadline }) => performance.now() < deadline);
    const [first] = batch;
    if (first === undefined) return;
    try {
      await relay.publish(first.topic, packed(batch.map(({ message }) => message)));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      rejectAll(batch, error);
    }
  }

  /** Sends what waits, one message of the backend at a time; messages that wait for the same topic are sent together. */
  async function send(): Promise<void> {
    isSending = true;
    try {
      const relay = await opening.ready;
      while (queue.length > 0) await sendNext(relay);
    } catch (error) {
      rejectAll(queue.splice(0), error);
    } finally {
      isSending = false;
    }
  }

  return {
    publish(topic, message) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      queue.push({ topic, message, deadline: performance.now() + answerMs, resolve, reject });
      if (!isSending) void send();
      return within(answerMs, { what: 'relay.publish', work: promise });
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
      return await relay.subscribe(pattern, ({ data, topic }) =>
        handleAll(unpacked(data), { topic, handler }),
      );
    } catch (error) {
      const unregistered = error instanceof RelayError && error.code === RelayErrorCode.NodeNotRegistered;
      if (!unregistered || performance.now() > deadline) throw error;
      await sleep(retryMs);
    }
  }
}

/** Calls the handler for each message, in their order; a failure does not affect the later ones. @throws the first failure */
async function handleAll(
  messages: readonly unknown[],
  { topic, handler }: { topic: string; handler: RelayHandler },
): Promise<void> {
  const called = messages.map(async (message) => handler(message, topic));
  await Promise.allSettled(called);
  await Promise.all(called);
}

/** A publication that waits to be sent. */
interface Waiting extends Publication {
  /** By `performance.now()`. */
  deadline: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

function rejectAll(waiting: readonly Waiting[], error: unknown): void {
  for (const { reject } of waiting) reject(error);
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
