import { type ErrorCode, errors } from '@riskboard/contract';

export interface FailureExtras {
  details?: { path: string; message: string }[];
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An intended error reply. The message is shown to the user. */
export class Failure extends Error {
  readonly code: ErrorCode;
  /** Always present for 422; an empty path means the request as a whole. */
  readonly details: { path: string; message: string }[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message?: string, extras: FailureExtras = {}) {
    super(message ?? errors[code].fallback, { cause: extras.cause });
    this.code = code;
    this.details = extras.details ?? (code === 'invalid' ? [{ path: '', message: this.message }] : undefined);
    this.headers = extras.headers ?? {};
  }
}

/** 422 for one field. */
export const invalidField = (path: string, message: string): Failure =>
  new Failure('invalid', message, { details: [{ path, message }] });
