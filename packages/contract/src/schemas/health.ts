import type { SchemaTable } from '../endpoint.ts';
import { z } from 'zod';

/** A part that the readiness check queries, and its state. */
export const Part = z.object({
  name: z.enum(['database', 'queue', 'worker', 'disk']),
  ok: z.boolean(),
  reason: z.string().optional(),
});

/** What an operator should look at although the product serves requests. */
const Warning = z.object({ name: z.enum(['backup', 'database']), reason: z.string() });

export const Readiness = z.object({
  ready: z.boolean(),
  parts: z.array(Part),
  warnings: z.array(Warning).optional(),
});
export type Readiness = z.infer<typeof Readiness>;

export const healthSchemas = {
  live: { summary: 'The process answers', reply: { 200: z.object({ live: z.literal(true) }) } },
  ready: {
    summary:
      'Database, queue and at least one worker answer, and the disk is not full; else 503 naming the failing part',
    reply: { 200: Readiness },
  },
} satisfies SchemaTable;
