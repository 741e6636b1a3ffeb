import type { FormSpec } from './form-spec.ts';

interface Shape {
  editing: boolean;
  valid: boolean;
  changed: boolean;
}

const isBlank = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;

const words = new Intl.ListFormat('en-US', { type: 'conjunction' });

/**
 * Why a form cannot be sent: a new record needs its required fields, a saved one a change and no mistake (spec 4,
 * Submit buttons). Undefined: it can.
 */
export function blockedReason<Values extends object>(
  { labels, required }: Pick<FormSpec<Values, never, never>, 'labels' | 'required'>,
  values: Values,
  { editing, valid, changed }: Shape,
): string | undefined {
  const missing = required.filter((name) => isBlank(values[name])).map((name) => labels[name]);
  if (missing.length > 0) return `Still needed: ${words.format(missing)}.`;
  if (!editing) return undefined;
  if (!changed) return 'Nothing has changed yet.';
  return valid ? undefined : 'Correct what is marked first.';
}
