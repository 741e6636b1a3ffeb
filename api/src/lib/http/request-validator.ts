import { formatCount } from '@riskboard/domain';
import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Failure } from './failure.ts';
import { textProblem } from './text-problem.ts';

type Issue = NonNullable<Failure['details']>[number];

/** Deeper values have no use, and would overflow the stack of recursive code behind the validation. */
const deepest = 64;
/** More values are refused before each is validated: 1 MiB holds half a million. No endpoint takes as many. */
const mostValues = 50_000;
/** Issues in one reply. */
const mostIssues = 100;

const keyText = (key: string): string => key.toWellFormed().replaceAll('\0', '\u{FFFD}');

/**
 * The texts of a request that the database cannot hold, and values that are nested too deeply or too many. Recursion ends
 * at the deepest level; the path of a value is only copied for an issue.
 */
function unstorable(request: unknown): Issue[] {
  const issues: Issue[] = [];
  const path: string[] = [];
  let values = 0;

  function report(message: string | undefined, where: readonly string[] = path): void {
    if (message !== undefined) issues.push({ path: where.map(keyText).join('.'), message });
  }

  function check(value: unknown): void {
    if (typeof value === 'string') report(textProblem(value));
    if (typeof value !== 'object' || value === null) return;
    if (path.length >= deepest) return report(`Use at most ${deepest} levels.`, path.slice(0, 1));
    const isList = Array.isArray(value);
    for (const [key, child] of isList ? value.entries() : Object.entries(value)) {
      if (issues.length >= mostIssues || values > mostValues) return;
      values += 1;
      path.push(String(key));
      if (!isList) report(textProblem(String(key)));
      check(child);
      path.pop();
    }
  }

  check(request);
  if (values > mostValues) report(`Send at most ${formatCount(mostValues)} values.`, []);
  return issues.slice(0, mostIssues);
}

const absent = (data: unknown): boolean => data === undefined || data === null;

/** Whether a request may have no body: every member of its schema is optional. */
export const isBodyOptional = (schema: unknown): boolean =>
  schema instanceof z.ZodType && schema.safeParse({}).success;

const isBlank = (value: unknown): boolean => value === '';

/** A query without its empty values: `?state=&kind=` sets neither of them (contract, Jobs). */
function withoutBlanks(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const given = Object.entries(query).flatMap(([name, value]): [string, unknown][] => {
    if (!Array.isArray(value)) return isBlank(value) ? [] : [[name, value]];
    const values = value.filter((one) => !isBlank(one));
    return values.length === 0 ? [] : [[name, values]];
  });
  return Object.fromEntries(given);
}

/**
 * Validates a part of a request. No endpoint takes text with a lone surrogate or NUL (contract, HTTP): such text is
 * refused with 422 in every field, regardless of its schema, instead of being changed.
 */
export const requestValidator: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = validatorCompiler(route);
  // An unreadable id in the path is a record that does not exist.
  if (route.httpPart === 'params') return validate;
  const isOptional = route.httpPart === 'body' && isBodyOptional(route.schema);
  return (sent: unknown) => {
    const given = isOptional && absent(sent) ? {} : sent;
    const data = route.httpPart === 'querystring' ? withoutBlanks(given) : given;
    const details = unstorable(data);
    if (details.length > 0) return { error: new Failure('invalid', details[0]?.message, { details }) };
    return validate(data) as { value: unknown } | { error: Error };
  };
};
