/** Thrown by a consumer's `run`: the same bell again, not before `delayMs` from now. */
export class RetryLater extends Error {
  readonly delayMs: number;

  constructor(delayMs: number, options?: ErrorOptions) {
    super(`Retry in ${delayMs} ms`, options);
    this.name = 'RetryLater';
    this.delayMs = delayMs;
  }
}
