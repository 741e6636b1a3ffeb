import type { SchemaTable } from '../endpoint.ts';
import { z } from 'zod';

/** A weakness of MITRE's catalogue (spec 3, CWE record). */
export const Cwe = z
  .object({
    /** Digits only. */
    ID: z.string(),
    Name: z.string(),
    Abstraction: z.string(),
    Structure: z.string(),
    Status: z.string(),
    Description: z.string(),
    /** Of an exploit: High, Medium, Low; empty where MITRE names none. */
    Likelihood: z.string(),
    url: z.string(),
    /** Related weaknesses: how, and which. */
    Weaknesses: z.array(z.object({ ID: z.string(), Name: z.string(), Nature: z.string() })),
    /** Consequences by scope, as MITRE lists them. */
    Consequences: z.array(
      z.object({ Scope: z.array(z.string()), Impact: z.array(z.string()), Note: z.string() }),
    ),
    /** Version of the catalogue, or another source. */
    source: z.string(),
  })
  .meta({ id: 'Cwe' });
export type Cwe = z.infer<typeof Cwe>;

export const cweSchemas = {
  get: {
    summary: 'A weakness by its id: 79, CWE-79 or cwe79',
    params: z.object({ id: z.string().max(40) }),
    reply: { 200: Cwe },
  },
} satisfies SchemaTable;
