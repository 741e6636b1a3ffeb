/**
 * Runs the prefetch of a route whose queries are loaded with it: what a loader imports statically is part of the entry of
 * every page. A failure is shown by the page, which makes the same query.
 */
export function prefetch(task: () => Promise<void>): void {
  void task().catch(() => undefined);
}
