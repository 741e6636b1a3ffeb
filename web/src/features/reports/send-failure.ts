/** The upload did not get through. `retryAfterMs` is set when the server asks for patience (429, 503). */
export class SendFailure extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly retryAfterMs: number | null;

  constructor(message: string, answer: { status: number; retryAfterMs: number | null }) {
    super(message);
    this.name = 'SendFailure';
    this.status = answer.status;
    this.retryAfterMs = answer.retryAfterMs;
  }
}
