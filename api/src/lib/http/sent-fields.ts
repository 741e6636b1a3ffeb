import { isDeepStrictEqual } from 'node:util';
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import type { z } from 'zod';
import type { Values } from '../columns.ts';
import { Failure } from './failure.ts';
import { requestValidator } from './request-validator.ts';

/** The fields that a change of a record sends, before they are compared with the stored ones. */
export interface SentFields {
  values: Readonly<Values>;
  /**
   * Validates them; a value that equals the stored one is no change and needs not be valid.
   * @param shown the record in each form in which the API shows it
   * @returns the valid fields, and the names of those that equal the stored ones
   * @throws Failure 422
   */
  read(shown: readonly Readonly<Values>[]): { body: Values; same: string[] };
}

/** A field without a value is sent as an empty text or as null (spec 5). */
const blankAsNull = (value: unknown): unknown => (value === '' ? null : value);

const isSame = (sent: unknown, stored: unknown): boolean =>
  stored !== undefined && isDeepStrictEqual(blankAsNull(sent), blankAsNull(stored));

/** Parses the values that the schema accepts. @throws Failure 422 for others, except those of these names */
function parse(schema: z.ZodType, values: Readonly<Values>, same: readonly string[]): Values {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data as Values;
  const { issues } = parsed.error;
  const details = issues
    .filter(({ path: [field] }) => !same.includes(String(field)))
    .map(({ path, message }) => ({ path: path.join('.'), message }));
  if (details.length > 0) throw new Failure('invalid', details[0]?.message, { details });
  const refused = new Set(issues.map(({ path: [field] }) => String(field)));
  const others = Object.entries(values).filter(([name]) => !refused.has(name));
  return parse(schema, Object.fromEntries(others), []);
}

/** Validates a body of fields when the record is read: the handler receives `SentFields`. */
export const sentFieldsValidator: FastifySchemaCompiler<unknown> = (given) => {
  const route = given as FastifyRouteSchemaDef<z.ZodType>;
  const validate = requestValidator(route);
  if (route.httpPart !== 'body') return validate;
  return (sent: unknown) => {
    // Without a body, nothing changes.
    const data = sent ?? {};
    const result = validate(data) as { value?: unknown; error?: Error };
    const isFields = typeof data === 'object' && data !== null && !Array.isArray(data);
    if (!isFields || result.error instanceof Failure) return result as { value: unknown };
    const values = data as Values;
    const value: SentFields = {
      values,
      read(shown) {
        const same = Object.keys(values).filter((name) =>
          shown.some((stored) => isSame(values[name], stored[name])),
        );
        return { body: parse(route.schema, values, same), same };
      },
    };
    return { value };
  };
};
