import { errors, type ErrorCode, type ErrorReply } from '@riskboard/contract';

/** The server refused a call. `message` is shown to the user (contract, HTTP). */
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

/** Whether a record does not exist, or no longer; a retry does not help. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Whether a call was refused because the record that this field of its body names does not exist. */
export const isMissingAt = (error: unknown, path: string): boolean =>
  isMissing(error) && (error as ApiError).details.some((detail) => detail.path === path);

/** Whether a failure means that the user was removed from the organization; its message names the organization. */
export const isAccessEnd = (error: unknown): error is ApiError & { readonly code: 'access_ended' } =>
  error instanceof ApiError && error.code === ('access_ended' satisfies ErrorCode);

/** Message of an `UnreachableError`. */
export const unreachableText = 'Riskboard cannot be reached. Check your connection.';

/** Codes of refusals that mean that there is no session, or no longer. */
const sessionCodes: ReadonlySet<string> = new Set<ErrorCode>(['session_expired', 'not_signed_in']);

/** Whether a failure means that the session has ended; the login page then says so. */
export const isSessionEnd = (error: unknown): error is ApiError =>
  error instanceof ApiError && sessionCodes.has(error.code);

/**
 * Whether a call came from a page of another account or organization than is signed in now: it was refused, or answered
 * after the page had changed. The page follows the change and says so.
 */
export const isSessionChange = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === ('session_changed' satisfies ErrorCode);

/** Refuses the answer to a call that the tab made while it showed another account or organization. */
export const lateAnswer = (): ApiError =>
  new ApiError({
    statusCode: errors.session_changed.status,
    code: 'session_changed' satisfies ErrorCode,
    message:
      'This tab changed to another organization or account before the answer arrived. Check in the earlier one whether it was saved.',
    requestId: '',
  });

/** Whether a refusal is about what was asked for; other failures may be temporary or are about the session. */
export const isFinalRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429 && !isSessionChange(error);

/** No answer arrived: the network or the server is down. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super(unreachableText, { cause });
    this.name = 'UnreachableError';
  }
}

/** Whether Riskboard did not answer, so that it is not known what it did: the network failed, or a proxy answered. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof UnreachableError ||
  (error instanceof ApiError && error.code === 'unknown' && error.status >= 500);

/** The server's text where it gave one, else the spec's (spec 8: fallbacks). */
export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof ApiError && error.code === 'unknown') return fallback;
  if (error instanceof Error && error.message !== '') return error.message;
  return fallback;
}

/** Whether another user changed a record since the version that a change named. */
export const isStale = (error: unknown): boolean =>
  error instanceof ApiError && error.code === ('stale_version' satisfies ErrorCode);

/** Why a change was refused that overwrites nothing of another user. */
export const notOverwrittenText = (error: unknown): string =>
  isStale(error)
    ? `${messageOf(error, errors.stale_version.fallback)} Nothing was overwritten.`
    : messageOf(error, 'Please try again.');

const isIssue = (value: unknown): boolean => {
  const { path, message } = (value ?? {}) as Record<string, unknown>;
  return typeof path === 'string' && typeof message === 'string';
};

/** Whether a body is an error as the contract defines it; proxies answer in other formats. */
export function isErrorReply(body: unknown): body is ErrorReply {
  const { statusCode, code, message, requestId, details } = (body ?? {}) as Record<string, unknown>;
  return (
    typeof statusCode === 'number' &&
    [code, message, requestId].every((text) => typeof text === 'string') &&
    (details === undefined || (Array.isArray(details) && details.every(isIssue)))
  );
}
