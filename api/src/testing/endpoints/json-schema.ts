import { z } from 'zod';

/** The parts of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** What a request must look like, with named schemas in the places that refer to them. */
export function inlined(schema: z.ZodType): JsonSchema {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const text = JSON.stringify(whole, (_key, value: { $ref?: string } | undefined) => {
    const name = value?.$ref?.replace('#/$defs/', '');
    return name === undefined ? value : whole.$defs?.[name];
  });
  return JSON.parse(text) as JsonSchema;
}
