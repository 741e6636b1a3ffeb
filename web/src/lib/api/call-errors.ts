import type { ErrorReply } from '@riskboard/contract';

/** The server said no. `message` is the text a person reads (contract, HTTP). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Empty when a proxy answered instead of the API. */
  readonly requestId: string;
  readonly details: NonNullable<ErrorReply['details']>;

  constructor(reply: Omit<ErrorReply, 'error'>) {
    super(reply.message);
    this.name = 'ApiError';
    this.status = reply.statusCode;
    this.code = reply.code;
    this.requestId = reply.requestId;
    this.details = reply.details ?? [];
  }
}

/** No answer came: the network or the server is away. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super('Riskboard cannot be reached. Check your connection.', { cause });
    this.name = 'UnreachableError';
  }
}
