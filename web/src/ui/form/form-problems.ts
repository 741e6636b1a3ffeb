import { errors } from '@riskboard/contract';
import { useEffect, useMemo, useState } from 'react';
import { ApiError, messageOf } from '../../lib/api/errors.ts';
import type { Entity } from '../../lib/entity/entity.ts';
import { problemsOf, type FormDraft, type FormValues } from '../../lib/entity/form-values.ts';
import { formatList } from '../../lib/format/format.ts';
import { loadSchemas, schemasNow } from '../../lib/schemas.ts';
import type { FormState, Refused } from './form-context.ts';

type Problems = Readonly<Record<string, string>>;

/** Keeps the last result: every field of the form asks about the same values. */
function rememberLast(compute: (values: FormValues) => Problems): (values: FormValues) => Problems {
  let last: { values: FormValues; problems: Problems } | undefined;
  return (values) => {
    if (last?.values !== values) last = { values, problems: compute(values) };
    return last.problems;
  };
}

/** Problems of the values of a form, by field; empty until the schemas have loaded. */
export function useProblems(entity: Entity) {
  const [schemas, setSchemas] = useState(schemasNow);

  useEffect(() => {
    let unmounted = false;
    const load = async () => {
      const loaded = await loadSchemas();
      if (!unmounted) setSchemas(loaded);
    };
    void load();
    return () => {
      unmounted = true;
    };
  }, []);

  return useMemo(
    () => rememberLast((values) => (schemas === undefined ? {} : problemsOf(entity, values, schemas))),
    [entity, schemas],
  );
}

/** The messages of a failed call at the fields that they are about; the others belong to the form as a whole. */
export function refusalOf(error: unknown, values: FormValues): FormDraft {
  const details = error instanceof ApiError ? error.details : [];
  const named = details.map(({ path, message }) => ({ name: path.split('.')[0] ?? path, message }));
  const known = named.filter(({ name }) => name in values);
  // Reversed, so that the first message about a field is kept.
  const problems = Object.fromEntries(known.toReversed().map(({ name, message }) => [name, message]));
  const allAtFields = known.length > 0 && known.length === named.length;
  return { values, problems, message: allAtFields ? undefined : messageOf(error, errors.internal.fallback) };
}

/** A retry would not help: the record was deleted while its form was open. */
export const deletedRefusal = ({ one }: Entity, values: FormValues): FormDraft => ({
  values,
  problems: {},
  message: `This ${one} was deleted. What you entered is still in the form.`,
});

/** A message is shown until the value that it is about changes. */
export const refusedOf = (draft: FormDraft | undefined): Readonly<Record<string, Refused>> =>
  draft === undefined
    ? {}
    : Object.fromEntries(
        Object.entries(draft.problems).map(([name, message]) => [
          name,
          { message, value: draft.values[name] },
        ]),
      );

const isBlank = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;

const requiredNames = ({ fields }: Pick<Entity, 'fields'>): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.form !== undefined && fields[name].required === true);

/** 'Required: Name and Severity.'; undefined when every required field is filled (spec 4, Submit buttons). */
export function missingText({ entity, labelOf }: FormState, values: FormValues): string | undefined {
  const missing = requiredNames(entity).filter((name) => isBlank(values[name]));
  return missing.length === 0 ? undefined : `Required: ${formatList(missing.map(labelOf))}.`;
}
