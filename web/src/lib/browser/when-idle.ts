/** Milliseconds, where the browser does not report that it is idle (Safari). */
const assumedIdleAfter = 500;

/** Runs a task when the browser is idle. @returns cancels the task */
export function whenIdle(task: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(task, assumedIdleAfter);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(task);
  return () => cancelIdleCallback(handle);
}
