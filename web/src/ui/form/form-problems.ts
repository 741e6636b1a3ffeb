import { errors } from '@riskboard/contract';
import { isVisible } from '@riskboard/domain';
import { useEffect, useMemo, useState } from 'react';
import { ApiError, messageOf } from '../../lib/api/errors.ts';
import type { Entity } from '../../lib/entity/entity.ts';
import { formLabel } from '../../lib/entity/field-text.ts';
import {
  problemsOf,
  type CheckedValues,
  type FieldValue,
  type FormDraft,
  type FormValues,
} from '../../lib/entity/form-values.ts';
import { withNames } from '../../lib/entity/with-names.ts';
import { formatList } from '../../lib/format/format.ts';
import { loadSchemas, schemasNow } from '../../lib/load-schemas.ts';
import type { Refused } from './form-context.ts';

type Problems = Readonly<Record<string, string>>;

/** Keeps the last result: every field of the form asks about the same values. */
function rememberLast<Result>(compute: (values: FormValues) => Result): (values: FormValues) => Result {
  let last: { values: FormValues; result: Result } | undefined;
  return (values) => {
    if (last?.values !== values) last = { values, result: compute(values) };
    return last.result;
  };
}

/**
 * Problems of the values of a form, by field; empty until the schemas have loaded.
 * @param saved the values of the saved record; undefined for a new record
 */
export function useProblems(entity: Entity, saved: FormValues | undefined) {
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
    () =>
      rememberLast<Problems>((values) =>
        schemas === undefined ? {} : problemsOf(entity, { values, saved }, schemas),
      ),
    [entity, saved, schemas],
  );
}

/** A message about the value of a field; related records have their names in it. */
export const messageAbout = (value: FieldValue | undefined, message: string): string =>
  typeof value === 'object'
    ? withNames(
        message,
        value.filter((item) => typeof item !== 'string'),
      )
    : message;

/** The messages of a failed call at the fields that they are about; the others belong to the form as a whole. */
export function refusalOf(error: unknown, values: FormValues): FormDraft {
  const details = error instanceof ApiError ? error.details : [];
  const named = details.map(({ path, message }) => {
    const name = path.split('.')[0] ?? path;
    return { name, message: messageAbout(values[name], message) };
  });
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
  typeof value === 'string' ? !isVisible(value) : Array.isArray(value) && value.length === 0;

const requiredNames = ({ fields }: Pick<Entity, 'fields'>): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.form !== undefined && fields[name].required === true);

/**
 * 'Required: Name and Severity.'; undefined when every required field is filled (spec 4, Submit buttons), except those that
 * the saved record does not have either.
 */
function missingText(
  { fields }: Pick<Entity, 'fields'>,
  { values, saved }: CheckedValues,
): string | undefined {
  const missing = requiredNames({ fields }).filter(
    (name) => isBlank(values[name]) && !(saved !== undefined && isBlank(saved[name])),
  );
  return missing.length === 0
    ? undefined
    : `Required: ${formatList(missing.map((name) => formLabel(fields, name)))}.`;
}

const correctText = 'Correct the marked fields first.';

interface BlockingOptions {
  /** The values of the saved record; undefined for a new record. */
  saved: FormValues | undefined;
  /** What differs from the saved record; undefined for a new record. */
  changes: ((values: FormValues) => object) | undefined;
  problems: (values: FormValues) => Problems;
}

/** Why values of a form cannot be submitted, and whether that is the problems of the fields, which are then marked. */
export function useBlocking(entity: Entity, { saved, changes, problems }: BlockingOptions) {
  return useMemo(() => {
    const blockedBy = rememberLast((values) => {
      const missing = missingText(entity, { values, saved });
      if (missing !== undefined) return missing;
      if (changes === undefined && entity.form.createsValidOnly !== true) return undefined;
      if (changes !== undefined && Object.keys(changes(values)).length === 0)
        return 'Nothing has changed yet.';
      return Object.keys(problems(values)).length === 0 ? undefined : correctText;
    });
    return { blockedBy, marksProblems: (values: FormValues) => blockedBy(values) === correctText };
  }, [entity, saved, changes, problems]);
}
