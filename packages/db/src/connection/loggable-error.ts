/** The fields of an error in a log line. */
interface LoggableError {
  type: string;
  message: string;
  stack: string;
  [field: string]: unknown;
}

/**
 * What of an error may stand in a log. PostgreSQL's `detail`, `where` and `hint` quote rows and lines of a COPY,
 * and so the contents of reports; they are left out.
 */
export function loggableError(error: unknown): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack ?? '',
    ...('code' in error ? { code: String(error.code) } : {}),
    ...(error.cause === undefined ? {} : { cause: loggableError(error.cause) }),
  };
}
