/** What a panel has shown since it was opened; the last one is what it shows. */
export interface Trail {
  readonly open: boolean;
  readonly values: readonly string[];
}

export const closedTrail: Trail = { open: false, values: [] };

/**
 * The trail after the page asked for `value`; the same object when nothing changes. A value that was passed before is
 * a way back to it; closing keeps the last in sight until the panel is gone.
 */
export function followTrail(trail: Trail, value: string | null): Trail {
  if (value === null) return trail.open ? { ...trail, open: false } : trail;
  if (!trail.open) return { open: true, values: [value] };
  if (trail.values.at(-1) === value) return trail;
  const before = trail.values.lastIndexOf(value);
  return { open: true, values: before === -1 ? [...trail.values, value] : trail.values.slice(0, before + 1) };
}
