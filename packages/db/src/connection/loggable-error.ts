/** The fields of an error in a log line. */
interface LoggableError {
  type: string;
  message: string;
  stack: string;
  [field: string]: unknown;
}

/**
 * The fields of an error that may be logged. PostgreSQL's `detail`, `where` and `hint` are omitted, because they quote rows
 * and lines of a COPY, and with them the contents of reports.
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
