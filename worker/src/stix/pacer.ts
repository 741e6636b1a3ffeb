import { setImmediate } from 'node:timers/promises';

/** Milliseconds of parsing after which other work of the process gets its turn; the bar is 50 ms. */
const longestTurn = 12;

/** Keeps a long computation from blocking the event loop, and lets it be stopped. */
export class Pacer {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /**
   * To be awaited between slices of work.
   *
   * @throws the signal's reason once it is aborted
   */
  async breathe(): Promise<void> {
    this.#signal?.throwIfAborted();
    if (performance.now() - this.#since < longestTurn) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
