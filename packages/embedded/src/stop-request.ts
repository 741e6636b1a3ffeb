/** Ctrl-C, the service manager, and a terminal that closes. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborts when this process is asked to end, by signal or by the end of the process that started it. npm passes on
 * what the terminal has already sent, so a signal may come twice: the second says nothing new.
 */
export function stopRequest(): AbortController {
  const request = new AbortController();
  const ask = (): void => request.abort();
  for (const signal of signals) process.on(signal, ask);
  process.on('disconnect', ask);
  process.channel?.unref();
  return request;
}
