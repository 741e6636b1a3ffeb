/** What a panel has shown since it was opened; the last one is what it shows. Empty: closed. */
export type Trail = readonly string[];

/**
 * The trail after the page asked for `value`; the same when nothing changes. A value that was passed before is a way
 * back to it, null the end.
 */
export function followTrail(trail: Trail, value: string | null): Trail {
  if (value === null) return trail.length === 0 ? trail : [];
  if (trail.at(-1) === value) return trail;
  const before = trail.lastIndexOf(value);
  return before === -1 ? [...trail, value] : trail.slice(0, before + 1);
}
