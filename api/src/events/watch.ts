import { sessionEndedTopic } from '@riskboard/contract';
import type { Deps } from '../deps.ts';
import type { Caller } from '../lib/security/caller.ts';
import { credentialOf, liveCredentials } from './live-credentials.ts';

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

/** One query for all sockets of this process. */
export function watchCredentials(
  { database, relay }: Pick<Deps, 'database' | 'relay'>,
  onError: (error: unknown) => void,
): Watch {
  const sockets = new Set<Watched>();
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
      const unsubscribe = await relay.subscribe(sessionEndedTopic(socket.credential), () => end(socket));
      const leave = () => {
        sockets.delete(socket);
        unsubscribe().catch(onError);
      };
      sockets.add(socket);
      try {
        // It may have ended between the handshake and the subscription.
        const live = await liveCredentials(database, new Set([socket.credential]));
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
