import { createHash } from 'node:crypto';
import { type Failure, invalidField } from '../http/failure.ts';

/** What is kept of the secret of a mailed link: 32 random bytes need no slow hash. */
export const linkHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Never which of the reasons: unknown, used or too old. */
export const spentLink = (): Failure =>
  invalidField('token', 'This link is no longer valid. Ask for a new one.');
