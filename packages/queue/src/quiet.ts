import type { OnError } from './config.ts';

const quietMs = 10_000;

/** A backend that is away says so many times a second: the same message passes once in ten seconds. */
export function quietly(onError: OnError): OnError {
  const heard = new Map<string, number>();
  return (error) => {
    const now = performance.now();
    for (const [message, at] of heard) if (now - at > quietMs) heard.delete(message);
    if (heard.has(error.message)) return;
    heard.set(error.message, now);
    onError(error);
  };
}
