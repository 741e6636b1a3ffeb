import { z } from 'zod';

/** One field that is not valid; `path` as in the request body, dot separated. */
export const FieldIssue = z.object({ path: z.string(), message: z.string() });

/** What every failed call answers (contract, HTTP). `message` is the text a person reads. */
export const ErrorReply = z
  .object({
    statusCode: z.int(),
    code: z.string(),
    error: z.string(),
    message: z.string(),
    requestId: z.string(),
    details: z.array(FieldIssue).optional(),
  })
  .meta({ id: 'Error' });

export type ErrorReply = z.infer<typeof ErrorReply>;
