import { createHash } from 'node:crypto';
import { type Failure, invalidField } from '../http/failure.ts';

/** The stored hash of a link's token: 32 random bytes need no slow hash. */
export const linkHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** One reply for unknown, used and expired links, so that the reason is not revealed. */
export const invalidLink = (): Failure =>
  invalidField('token', 'This link is no longer valid. Request a new one.');
