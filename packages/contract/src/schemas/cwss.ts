import type { SchemaTable } from '../endpoint.ts';
import { z } from 'zod';

export const CwssScore = z.object({
  /** 0-100, one decimal, half up. */
  score: z.number(),
  /** The score before rounding. */
  raw: z.number(),
  /** Base Finding, 0-100. */
  base: z.number(),
  /** Attack Surface, 0-1. */
  attackSurface: z.number(),
  /** Environmental, 0-1. */
  environmental: z.number(),
  /** In canonical form. */
  vector: z.string(),
  /** What was ignored or replaced while reading the vector. */
  warnings: z.array(z.string()),
});
export type CwssScore = z.infer<typeof CwssScore>;

export const cwssSchemas = {
  score: {
    summary: 'Score a CWSS 1.0.1 vector or a link of a calculator, with strict errors for factors and values',
    body: z.object({ vector: z.string().trim().min(1, 'Enter a vector.').max(1000) }),
    reply: { 200: CwssScore },
  },
} satisfies SchemaTable;
