import { sessionEndedTopic } from '@riskboard/contract';
import type { Deps } from '../deps.ts';
import type { Caller } from '../lib/security/caller.ts';
import { credentialOf, liveCredentials } from './live-credentials.ts';

/** The relay tells of an ended session at once; this is for what it missed, and for what no one tells. */
const lookEveryMs = 3000;

/** Ends sockets whose session or token no longer admits its person, 5 s after at most. */
export interface Watch {
  /**
   * Resolves when the socket is surely told from now on; returns how to stop watching.
   * `end` is called once, at most.
   */
  add(caller: Caller, end: () => void): Promise<() => void>;
  close(): void;
}

interface Watched {
  credential: string;
  end(): void;
}

/** One question to the database for all sockets of this process, however many there are. */
export function watchCredentials(
  { database, relay }: Pick<Deps, 'database' | 'relay'>,
  onError: (error: unknown) => void,
): Watch {
  const sockets = new Set<Watched>();
  let looking = false;

  function end(socket: Watched): void {
    if (sockets.delete(socket)) socket.end();
  }

  async function look(): Promise<void> {
    // Who comes while the question is under way is not in its answer.
    const asked = [...sockets];
    if (asked.length === 0) return;
    const live = await liveCredentials(database, new Set(asked.map(({ credential }) => credential)));
    for (const socket of asked) if (!live.has(socket.credential)) end(socket);
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch(onError)
      .finally(() => {
        looking = false;
      });
  }, lookEveryMs);

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
