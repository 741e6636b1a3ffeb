import { dictionary } from '@zxcvbn-ts/language-common';
import { invalidField } from '../lib/http/failure.ts';

/** Shorter ones are refused for their length already (contract, Accounts). */
const shortest = 12;

/** Most frequent first, in whatever case people write them. */
const known = dictionary['passwords-common'];

/** Of lists of stolen passwords nearly all are shorter than ours may be: this many of the first are taken as roots. */
const roots = 3000;

/** What is near at hand here: the product, what it is about, and who works with it (ASVS 5.0, 6.1.2). */
const contextWords = [
  'riskboard',
  'riskdashboard',
  'cyberrisk',
  'cybersecurity',
  'dashboard',
  'vulnerability',
  'threatintel',
  'threatintelligence',
  'organization',
  'administrator',
  'analyst',
] as const;

/** What people put behind a password that is too short: counting on, or the password once more. */
const countings = [
  '123',
  '1234',
  '12345',
  '123456',
  '1234567',
  '12345678',
  '123456789',
  '1234567890',
] as const;

const lengthened = (root: string): string[] => [root + root, ...countings.map((digits) => root + digits)];

const common: ReadonlySet<string> = new Set(
  [...known, ...contextWords, ...[...known.slice(0, roots), ...contextWords].flatMap(lengthened)].filter(
    (text) => text.length >= shortest,
  ),
);

/** How many are refused; ASVS 5.0, 6.2.4 asks for at least 3,000 that our other rules would let through. */
export const commonPasswords = common.size;

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
