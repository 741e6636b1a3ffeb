import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type { z } from 'zod';

/**
 * Serializes replies. The presenters of each noun give them their shape; with `check`, on in tests, each reply is also
 * validated against the contract's schema.
 */
export const replySerializer =
  (check: boolean): FastifySerializerCompiler<z.ZodType> =>
  ({ schema, method, url }) =>
  (data) => {
    if (!check) return JSON.stringify(data);
    const parsed = schema.safeParse(data);
    if (!parsed.success)
      throw new Error(`${method} ${url} does not match its contract: ${parsed.error.message}`);
    return JSON.stringify(data);
  };
