/** Ctrl-C, a service manager, and a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborts on a signal to end this process, or when its parent process ends. npm forwards signals that the terminal has
 * already sent, so a signal may arrive twice; the second one has no effect.
 */
export function stopRequest(): AbortController {
  const request = new AbortController();
  const ask = (): void => request.abort();
  for (const signal of signals) process.on(signal, ask);
  process.on('disconnect', ask);
  process.channel?.unref();
  return request;
}
