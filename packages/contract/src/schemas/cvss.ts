import type { SchemaTable } from '../endpoint.ts';
import { z } from 'zod';

export const CvssScore = z.object({
  version: z.enum(['2.0', '3.0', '3.1', '4.0']),
  score: z
    .number()
    .describe('The most specific score: environmental, else temporal, else base. 0-10, step 0.1.'),
  severity: z.string(),
  vector: z.string().describe('In canonical form.'),
  /**
   * Partial scores that the version defines and for which the vector has metrics: base (what a vulnerability's CVSS
   * score is), impact, exploitability, temporal, threat, environmental, modifiedImpact.
   */
  parts: z.record(z.string(), z.number()),
});
export type CvssScore = z.infer<typeof CvssScore>;

export const cvssSchemas = {
  score: {
    summary: 'Score a CVSS vector (v2, 3.0, 3.1, 4.0), strictly checked',
    body: z.object({ vector: z.string().trim().min(1, 'Enter a vector.').max(500) }),
    reply: { 200: CvssScore },
  },
} satisfies SchemaTable;
