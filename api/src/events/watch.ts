import { sessionEndedTopic, sessionsEndedTopics } from '@riskboard/contract';
import type { Deps } from '../deps.ts';
import type { Caller } from '../lib/security/caller.ts';
import { credentialOf, liveCredentials } from './live-credentials.ts';
import { shareReads } from './share-reads.ts';

/** The relay publishes an ended session immediately; this check finds missed messages and unpublished changes. */
const checkEveryMs = 3000;

/** Closes a socket within 5 s after its session or token loses access. */
export interface Watch {
  /**
   * Resolves when the socket is watched. `end` is called at most once.
   * @returns the function that stops watching
   */
  add(caller: Caller, end: () => void): Promise<() => void>;
  close(): void;
}

interface Watched {
  credential: string;
  end(): void;
}

/** One subscription, and one query at a time, for all sockets of this process. */
export function watchCredentials(
  { database, relay }: Pick<Deps, 'database' | 'relay'>,
  onError: (error: unknown) => void,
): Watch {
  const sockets = new Set<Watched>();
  const byTopic = new Map<string, Set<Watched>>();
  let subscription: Promise<() => Promise<void>> | undefined;
  const requested = new Set<string>();
  const sharedCheck = shareReads(() => {
    const credentials = new Set(requested);
    requested.clear();
    return liveCredentials(database, credentials);
  });

  /** Kept while there are sockets. */
  async function subscribe(): Promise<void> {
    subscription ??= relay.subscribe(sessionsEndedTopics, (_message, topic) => {
      for (const socket of byTopic.get(topic) ?? []) end(socket);
    });
    const current = subscription;
    try {
      await current;
    } catch (error) {
      if (subscription === current) subscription = undefined;
      throw error;
    }
  }

  function remove(socket: Watched): void {
    const topic = sessionEndedTopic(socket.credential);
    const same = byTopic.get(topic);
    same?.delete(socket);
    if (same?.size === 0) byTopic.delete(topic);
    if (byTopic.size > 0 || subscription === undefined) return;
    subscription.then((unsubscribe) => unsubscribe()).catch(onError);
    subscription = undefined;
  }
  let checking = false;

  function end(socket: Watched): void {
    if (sockets.delete(socket)) socket.end();
  }

  async function check(): Promise<void> {
    // The result does not include sockets that are added while the query runs.
    const watched = [...sockets];
    if (watched.length === 0) return;
    const live = await liveCredentials(database, new Set(watched.map(({ credential }) => credential)));
    for (const socket of watched) if (!live.has(socket.credential)) end(socket);
  }

  const timer = setInterval(() => {
    if (checking) return;
    checking = true;
    check()
      .catch(onError)
      .finally(() => {
        checking = false;
      });
  }, checkEveryMs);

  return {
    async add(caller, onEnd) {
      const socket = { credential: credentialOf(caller), end: onEnd };
      const topic = sessionEndedTopic(socket.credential);
      const same = byTopic.get(topic) ?? new Set();
      byTopic.set(topic, same.add(socket));
      sockets.add(socket);
      const leave = () => {
        sockets.delete(socket);
        remove(socket);
      };
      try {
        await subscribe();
        // It may have ended between the handshake and the subscription.
        requested.add(socket.credential);
        const live = await sharedCheck('all');
        if (!live.has(socket.credential)) end(socket);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    close: () => clearInterval(timer),
  };
}
