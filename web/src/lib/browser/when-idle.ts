/** Milliseconds after which a busy page does it all the same. */
const atLast = 5000;

/**
 * Does something when nothing else is to be done.
 * @returns calls it off
 */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, atLast);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(work, { timeout: atLast });
  return () => window.cancelIdleCallback(handle);
}
