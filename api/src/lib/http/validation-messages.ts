import type { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];
/** Names a code, of those that zod raises, and what it says. */
type Words = { [C in RawIssue['code']]?: (issue: Extract<RawIssue, { code: C }>) => string | undefined };

/** What was expected, by zod's name of the type. */
const types: Readonly<Record<string, string>> = {
  array: 'Send a list.',
  boolean: 'Send true or false.',
  int: 'Enter a whole number.',
  number: 'Enter a number.',
  object: 'Send a JSON object.',
  string: 'Send a text.',
};

const formats: Readonly<Record<string, string>> = {
  date: 'Enter a date.',
  datetime: 'Enter a date.',
  email: 'Enter a valid email address.',
  uuid: 'This is not an id.',
};

/** How many of what a text or a list holds. */
const units: Readonly<Record<string, { one: string; many: string }>> = {
  array: { one: 'entry', many: 'entries' },
  string: { one: 'character', many: 'characters' },
};

function bound(issue: { origin: string; input?: unknown }, word: string, value: number | bigint): string {
  const unit = units[issue.origin];
  if (!unit) return `At ${word} ${value}.`;
  return `Use at ${word} ${value} ${Number(value) === 1 ? unit.one : unit.many}.`;
}

const words: Words = {
  // What a query says in letters arrives at a number's schema as NaN.
  invalid_type: (issue) => (issue.input === undefined ? 'This is required.' : types[issue.expected]),
  invalid_format: (issue) => formats[issue.format],
  invalid_value: (issue) => `Use ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}.`,
  too_big: (issue) => bound(issue, 'most', issue.maximum),
  too_small: (issue) => {
    if (issue.minimum !== 1 || !units[issue.origin]) return bound(issue, 'least', issue.minimum);
    return issue.origin === 'array' ? 'Choose at least one.' : 'This must not be empty.';
  },
  // The first way is the one that people mean; the others are blanks and older forms.
  invalid_union: (issue) => issue.errors[0]?.[0]?.message,
  unrecognized_keys: (issue) => `Not known here: ${issue.keys.join(', ')}.`,
};

/** A refusal in words for people, where its schema has none of its own; `undefined` leaves it to zod. */
export const validationMessage = (issue: RawIssue): string | undefined =>
  (words[issue.code] as ((raw: RawIssue) => string | undefined) | undefined)?.(issue);
