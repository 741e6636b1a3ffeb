import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { Failure } from './failure.ts';

type Issue = NonNullable<Failure['details']>[number];

/** Deeper values have no use, and would overflow the stack of recursive code behind the validation. */
const deepest = 64;
/** Issues in one reply. */
const mostIssues = 100;

function problemOf(text: string): string | undefined {
  if (!text.isWellFormed()) return 'Text must be valid Unicode.';
  return text.includes('\0') ? 'Text must not contain NUL characters.' : undefined;
}

const keyText = (key: string): string => key.toWellFormed().replaceAll('\0', '\u{FFFD}');

/** The texts of a request that the database cannot hold, and values that are nested too deeply; without recursion. */
function unstorable(request: unknown): Issue[] {
  const issues: Issue[] = [];
  const open: { value: unknown; path: readonly string[] }[] = [{ value: request, path: [] }];
  const report = (path: readonly string[], message: string | undefined) =>
    message !== undefined && issues.push({ path: path.map(keyText).join('.'), message });
  for (let next = open.pop(); next !== undefined && issues.length < mostIssues; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') report(path, problemOf(value));
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= deepest) {
      report(path.slice(0, 1), `Use at most ${deepest} levels.`);
      continue;
    }
    // Reversed, because the last one is read first.
    for (const [key, child] of Object.entries(value).toReversed()) {
      report([...path, key], problemOf(key));
      open.push({ value: child, path: [...path, key] });
    }
  }
  return issues;
}

/**
 * Validates a part of a request. No endpoint takes text with a lone surrogate or NUL (contract, HTTP): such text is
 * refused with 422 in every field, regardless of its schema, instead of being changed.
 */
export const requestValidator: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = validatorCompiler(route);
  // An unreadable id in the path is a record that does not exist.
  if (route.httpPart === 'params') return validate;
  return (data: unknown) => {
    const details = unstorable(data);
    if (details.length > 0) return { error: new Failure('invalid', details[0]?.message, { details }) };
    return validate(data) as { value: unknown } | { error: Error };
  };
};
