import { dictionary } from '@zxcvbn-ts/language-common';
import { invalidField } from '../lib/failure.ts';

/** Shorter ones are refused for their length already (contract, Accounts). */
const shortest = 12;

const common: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((known) => known.length >= shortest),
);

/** Whether a password is on everybody's list, or is the person's own address; in whatever case. */
export function isCommonPassword(password: string, email: string): boolean {
  const lower = password.toLowerCase();
  return common.has(lower) || lower === email.trim().toLowerCase();
}

/**
 * ASVS 5.0, 6.2.4 and 6.2.11. Whole passwords only: no rule about their parts.
 * @throws Failure 422 on `password`
 */
export function refuseCommonPassword(password: string, email: string): void {
  if (isCommonPassword(password, email))
    throw invalidField('password', 'This password is too common. Choose another.');
}
