import { z } from 'zod';
import { endpoints } from './endpoint.ts';

/** A part that readiness asks, and what it answered. */
export const Part = z.object({
  name: z.enum(['database', 'queue', 'worker']),
  ok: z.boolean(),
  reason: z.string().optional(),
});

export const Readiness = z.object({ ready: z.boolean(), parts: z.array(Part) });
export type Readiness = z.infer<typeof Readiness>;

export const health = endpoints({
  live: {
    method: 'GET',
    path: '/api/health/live',
    access: 'public',
    summary: 'The process answers',
    reply: { 200: z.object({ live: z.literal(true) }) },
  },
  ready: {
    method: 'GET',
    path: '/api/health/ready',
    access: 'public',
    summary: 'Database, queue and at least one worker answer; else 503 naming the failing part',
    reply: { 200: Readiness },
  },
});
