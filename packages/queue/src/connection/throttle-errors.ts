import type { OnError } from '../config.ts';

const throttleMs = 10_000;

/** A backend that is down causes many errors a second: the same message passes once in ten seconds. */
export function throttleErrors(onError: OnError): OnError {
  const reportedAt = new Map<string, number>();
  return (error) => {
    const now = performance.now();
    for (const [message, at] of reportedAt) if (now - at > throttleMs) reportedAt.delete(message);
    if (reportedAt.has(error.message)) return;
    reportedAt.set(error.message, now);
    onError(error);
  };
}
