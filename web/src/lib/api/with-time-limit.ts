/** Milliseconds. A browser waits up to five minutes for an answer over a connection that was lost without notice. */
const answerWithin = 30_000;

/** Runs calls that are repeated anyway, and aborts them when they take too long. @throws {DOMException} AbortError */
export async function withTimeLimit<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), answerWithin);
  try {
    return await run(limit.signal);
  } finally {
    clearTimeout(timer);
  }
}
