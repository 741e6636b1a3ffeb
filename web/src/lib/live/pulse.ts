import { pingText } from '@riskboard/contract';

/** Milliseconds. */
const askEvery = 30_000;
const answerWithin = 10_000;

interface PulseOptions {
  /** Sends a text if the socket is open. */
  send: (text: string) => void;
  /** The server no longer answers. */
  onLost: () => void;
}

/** Asks the server regularly whether it is there, and when the page is shown again. */
export interface Pulse {
  /** The socket is open: asks at once, which shows whether this server answers. */
  start(): void;
  /** A message arrived; `isPong`: the answer to a question. */
  heard(isPong: boolean): void;
  stop(): void;
}

/**
 * Notices a connection whose end is not reported, as after the sleep of a laptop or a change of networks: the server closed
 * it meanwhile, and the browser would wait forever. A server of an earlier version does not answer and is not expected to.
 */
export function createPulse({ send, onLost }: PulseOptions): Pulse {
  let answers = false;
  let asking: ReturnType<typeof setInterval> | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function ask(): void {
    if (waiting !== undefined) return;
    send(pingText);
    if (answers) waiting = setTimeout(lost, answerWithin);
  }

  function stop(): void {
    document.removeEventListener('visibilitychange', shown);
    clearInterval(asking);
    clearTimeout(waiting);
    waiting = undefined;
  }

  function lost(): void {
    stop();
    onLost();
  }

  const shown = () => {
    if (document.visibilityState === 'visible') ask();
  };

  return {
    start() {
      stop();
      answers = false;
      asking = setInterval(ask, askEvery);
      document.addEventListener('visibilitychange', shown);
      ask();
    },
    heard(isPong) {
      answers ||= isPong;
      clearTimeout(waiting);
      waiting = undefined;
    },
    stop,
  };
}
