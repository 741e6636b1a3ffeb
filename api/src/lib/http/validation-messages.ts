import { formatCount } from '@riskboard/domain';
import type { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];
/** Message of each code that zod raises. */
type Messages = { [C in RawIssue['code']]?: (issue: Extract<RawIssue, { code: C }>) => string | undefined };

/** Messages by zod's name of the expected type. */
const types: Readonly<Record<string, string>> = {
  array: 'Send a list.',
  boolean: 'Send true or false.',
  int: 'Enter a whole number.',
  number: 'Enter a number.',
  object: 'Send a JSON object.',
  string: 'Send text.',
};

const formats: Readonly<Record<string, string>> = {
  date: 'Enter a date.',
  datetime: 'Enter a date.',
  email: 'Enter a valid email address.',
  uuid: 'Invalid ID.',
};

/** Units of the length of a text or list. */
const units: Readonly<Record<string, { one: string; many: string }>> = {
  array: { one: 'entry', many: 'entries' },
  string: { one: 'character', many: 'characters' },
};

function bound(
  issue: { origin: string; input?: unknown },
  limit: 'least' | 'most',
  value: number | bigint,
): string {
  const unit = units[issue.origin];
  const shown = formatCount(Number(value));
  if (!unit) return `Must be ${shown} or ${limit === 'most' ? 'less' : 'more'}.`;
  return `Use at ${limit} ${shown} ${Number(value) === 1 ? unit.one : unit.many}.`;
}

const messages: Messages = {
  // Text in a query that is not a number reaches the schema as NaN.
  invalid_type: (issue) => (issue.input === undefined ? 'This is required.' : types[issue.expected]),
  invalid_format: (issue) => formats[issue.format],
  invalid_value: (issue) => `Use ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}.`,
  too_big: (issue) => bound(issue, 'most', issue.maximum),
  too_small: (issue) => {
    if (issue.minimum !== 1 || !units[issue.origin]) return bound(issue, 'least', issue.minimum);
    return issue.origin === 'array' ? 'Choose at least one.' : 'This must not be empty.';
  },
  invalid_union: ({ errors, input }) => {
    const tooLong = Array.isArray(input) && errors.find(([first]) => first?.code === 'too_big');
    // The first option is the usual one; the others are blanks and older forms.
    return (tooLong || errors[0])?.[0]?.message;
  },
  unrecognized_keys: (issue) => `Unknown: ${issue.keys.join(', ')}.`,
};

/** The message of a validation issue whose schema defines none; `undefined` falls back to zod's message. */
export const validationMessage = (issue: RawIssue): string | undefined =>
  (messages[issue.code] as ((raw: RawIssue) => string | undefined) | undefined)?.(issue);
