import { setImmediate } from 'node:timers/promises';

/** Milliseconds of parsing before other work of the process may run; the limit is 50 ms. */
const sliceMs = 12;

/** Keeps a long computation from blocking the event loop, and makes it abortable. */
export class Pacer {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Lets other work run if the current slice is over; awaited between steps of the computation.
   * @throws the signal's reason once it is aborted
   */
  readonly pauseIfDue = async (): Promise<void> => {
    this.#signal?.throwIfAborted();
    if (performance.now() - this.#since < sliceMs) return;
    await setImmediate();
    this.#since = performance.now();
  };
}
