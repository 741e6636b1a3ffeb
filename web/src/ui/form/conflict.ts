import { changedFields, shownValue, type FieldValue, type FormSpec } from './form-spec.ts';

/** A field that somebody else saved otherwise than it stands in the form. */
export interface Difference {
  label: string;
  /** What overwriting saves; undefined: the person has not touched it, so it stays as it is saved. */
  yours: string | undefined;
  saved: string;
}

interface Three<Values> {
  /** Where the person began. */
  base: Values;
  mine: Values;
  theirs: Values;
}

/** Where a form and the newer version on the server differ. */
export function differences<Values extends object, Detail, Body extends object>(
  { labels, items, bodyOf }: FormSpec<Values, Detail, Body>,
  { base, mine, theirs }: Three<Values>,
): Difference[] {
  const touched = changedFields(bodyOf(base), bodyOf(mine));
  const differing = changedFields(bodyOf(theirs), bodyOf(mine));
  return (Object.keys(labels) as (keyof Values & string)[])
    .filter((name) => name in differing)
    .map((name) => {
      const shown = (values: Values) => shownValue(values[name] as FieldValue, items?.[name]);
      return {
        label: labels[name],
        yours: name in touched ? shown(mine) : undefined,
        saved: shown(theirs),
      };
    });
}
