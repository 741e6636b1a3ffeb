import type { ErrorReply } from '@riskboard/contract';

const isIssue = (value: unknown): boolean => {
  const { path, message } = (value ?? {}) as Record<string, unknown>;
  return typeof path === 'string' && typeof message === 'string';
};

/** Whether a body is an error as the contract words it; a proxy in front of the API says it otherwise. */
export function isErrorReply(body: unknown): body is ErrorReply {
  const { statusCode, code, message, requestId, details } = (body ?? {}) as Record<string, unknown>;
  return (
    typeof statusCode === 'number' &&
    [code, message, requestId].every((text) => typeof text === 'string') &&
    (details === undefined || (Array.isArray(details) && details.every(isIssue)))
  );
}
