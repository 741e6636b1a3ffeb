import { setTimeout as sleep } from 'node:timers/promises';
import { Relay as BullRelay, RelayError, RelayErrorCode, type RelaySubscription } from 'bullmq';
import { namesOf, type OnError, type QueueConfig } from './config.ts';
import { settles, within } from './deadline.ts';
import type { Link } from './link.ts';
import { openLink } from './open-link.ts';
import { quietly } from './quiet.ts';
import { openUntilReady, type Opened } from './reopen.ts';

/** `topic` is the one it was published on, never a pattern. */
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
   * @returns ends the subscription
   */
  subscribe(pattern: string, handler: RelayHandler): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface RelayOptions {
  onError?: OnError;
  /** Messages may have been missed (the backend lost this process and has it again): refetch. */
  onGap?: () => void;
}

const answerMs = 1000;
const subscribeMs = 5000;
const askAgainMs = 200;
/** So soon a process is known again to a backend that forgot it. */
const heartbeatMs = 3000;
const leaseMs = 15_000;

/**
 * Messages between processes. Wraps BullMQ's relay, which is marked experimental: nothing else may import it.
 * Each process has an inbox in the backend. On PostgreSQL that is a table, and NOTIFY (limit 8,000 bytes) carries
 * only the inbox's name.
 */
export function openRelay(config: QueueConfig, { onError, onGap }: RelayOptions = {}): Relay {
  const report = quietly(onError ?? (() => undefined));
  const opening = openUntilReady(() => openBullRelay(config, { onError: report, onGap }), report);
  let last: Promise<unknown> = Promise.resolve();

  async function send(turn: Promise<unknown>, { topic, message, tooLate }: Sending): Promise<void> {
    await turn;
    const relay = await opening.ready;
    // Its caller has been told that it failed; sent now, it would only hold up the others.
    if (performance.now() < tooLate) await relay.publish(topic, message);
  }

  return {
    publish(topic, message) {
      const tooLate = performance.now() + answerMs;
      const turn = send(last, { topic, message, tooLate });
      last = turn.catch(() => undefined);
      return within(answerMs, { what: 'relay.publish', work: turn });
    },
    async subscribe(pattern, handler) {
      const tooLate = performance.now() + subscribeMs;
      const active = opening.ready.then((relay) => enrol(relay, { pattern, handler, tooLate }));
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

interface Enrolling {
  pattern: string;
  handler: RelayHandler;
  /** By `performance.now()`. */
  tooLate: number;
}

/** A backend that has lost its data knows this process again with the next heartbeat: that long it is asked again. */
async function enrol(
  relay: BullRelay<Link>,
  { pattern, handler, tooLate }: Enrolling,
): Promise<RelaySubscription> {
  for (;;) {
    try {
      return await relay.subscribe(pattern, ({ data, topic }) => handler(data, topic));
    } catch (error) {
      const forgotten = error instanceof RelayError && error.code === RelayErrorCode.NodeNotRegistered;
      if (!forgotten || performance.now() > tooLate) throw error;
      await sleep(askAgainMs);
    }
  }
}

interface Sending {
  topic: string;
  message: unknown;
  /** By `performance.now()`. */
  tooLate: number;
}

function openBullRelay(
  config: QueueConfig,
  { onError, onGap }: { onError: OnError; onGap: (() => void) | undefined },
): Opened<BullRelay<Link>> {
  const link = openLink(config, { answerMs, queueOffline: true, onError });
  const relay = new BullRelay<Link>({
    connection: link,
    backend: link.relayBackend,
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
      await link.end();
    },
  };
}
