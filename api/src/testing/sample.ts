import { z } from 'zod';

interface JsonSchema {
  type?: string;
  format?: string;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  default?: unknown;
  minLength?: number;
  minimum?: number;
}

/** A value that a schema accepts, with `id` wherever it asks for an identifier: for walking endpoints by their table. */
export function sample(schema: z.ZodType, id: string): unknown {
  return valueOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, id);
}

function valueOf(schema: JsonSchema, id: string): unknown {
  if (schema.format === 'uuid') return id;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return valueOf(schema.anyOf[0] ?? {}, id);
  return (byType[schema.type ?? ''] ?? (() => null))(schema, id);
}

const byType: Record<string, (schema: JsonSchema, id: string) => unknown> = {
  object: ({ properties = {} }, id) =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([, property]) => property.default === undefined)
        .map(([name, property]) => [name, valueOf(property, id)]),
    ),
  array: ({ items = {} }, id) => [valueOf(items, id)],
  string: ({ minLength = 1 }) => 'x'.repeat(minLength),
  integer: ({ minimum = 1 }) => minimum,
  number: ({ minimum = 1 }) => minimum,
  boolean: () => true,
};
