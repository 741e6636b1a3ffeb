import type { z } from 'zod';
import { inlined, type JsonSchema } from './json-schema.ts';

/** The smallest value that a schema accepts, with `id` for every identifier. */
export function sample(schema: z.ZodType, id: string): unknown {
  return valueOf(inlined(schema), id);
}

function valueOf(schema: JsonSchema, id: string): unknown {
  if (schema.format === 'uuid') return id;
  if (schema.format && schema.format in byFormat) return byFormat[schema.format];
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return valueOf(schema.anyOf[0] ?? {}, id);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => valueOf(part, id))) as unknown;
  return (byType[schema.type ?? ''] ?? (() => null))(schema, id);
}

const byFormat: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00.000Z',
  email: 'person@example.org',
};

const byType: Record<string, (schema: JsonSchema, id: string) => unknown> = {
  object: ({ properties = {}, required = [] }, id) =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([, property]) => property.default === undefined)
        .map(([name, property]): [string, unknown] => [name, valueOf(property, id)])
        .filter(([name, value]) => required.includes(name) || JSON.stringify(value).includes(id)),
    ),
  array: ({ items = {} }, id) => [valueOf(items, id)],
  string: ({ minLength = 1 }) => 'x'.repeat(minLength),
  integer: ({ minimum = 1 }) => minimum,
  number: ({ minimum = 1 }) => minimum,
  boolean: () => true,
};
