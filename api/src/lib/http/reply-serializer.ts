import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type { z } from 'zod';

/**
 * Replies are shaped by each noun's present.ts, so production writes them as they are; tests check every one against
 * the contract's schema.
 */
export const replySerializer =
  (check: boolean): FastifySerializerCompiler<z.ZodType> =>
  ({ schema, method, url }) =>
  (data) => {
    if (!check) return JSON.stringify(data);
    const parsed = schema.safeParse(data);
    if (!parsed.success) throw new Error(`${method} ${url} broke its contract: ${parsed.error.message}`);
    return JSON.stringify(data);
  };
