import { z } from 'zod';

/** `?next=` after a login: a path of this site, so that no link can lead a fresh session elsewhere. */
export const NextSearch = z.object({
  next: z
    .string()
    .regex(/^\/(?![/\\])/u)
    .optional()
    .catch(undefined),
});
