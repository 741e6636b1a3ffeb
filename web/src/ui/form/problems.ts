import type { z } from 'zod';

/** The most telling message of an issue: of a choice between forms, what the first of them says. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message;
  const first = issue.errors[0]?.[0];
  return first === undefined ? issue.message : messageOf(first);
}

/** What the contract's schema has against a body, by field; empty: nothing. */
export function problemsBy(schema: z.ZodType, body: object): Readonly<Record<string, string>> {
  const read = schema.safeParse(body);
  if (read.success) return {};
  // The first issue of a field is the one to tell.
  return Object.fromEntries(
    read.error.issues.map((issue) => [String(issue.path[0] ?? ''), messageOf(issue)] as const).toReversed(),
  );
}
