import { dictionary } from '@zxcvbn-ts/language-common';
import { invalidField } from '../lib/http/failure.ts';

/** Shorter passwords are refused for their length (contract, Accounts). */
const shortest = 12;

/** Most frequent first, lower case. */
const known = dictionary['passwords-common'];

/** Most leaked passwords are shorter than 12 characters: the first of them are lengthened in common ways. */
const rootCount = 3000;

/** Context-specific terms: the product, its subject and its users (ASVS 5.0, 6.1.2). */
const contextTerms = [
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

/** Common suffixes of passwords that were too short. */
const suffixes = [
  '123',
  '1234',
  '12345',
  '123456',
  '1234567',
  '12345678',
  '123456789',
  '1234567890',
] as const;

const lengthened = (root: string): string[] => [root + root, ...suffixes.map((digits) => root + digits)];

const common: ReadonlySet<string> = new Set(
  [...known, ...contextTerms, ...[...known.slice(0, rootCount), ...contextTerms].flatMap(lengthened)].filter(
    (text) => text.length >= shortest,
  ),
);

/** Number of refused passwords; ASVS 5.0, 6.2.4 requires at least 3,000 that satisfy the other rules. */
export const commonPasswords = common.size;

/** Whether a password is in the list or is the person's own address; case-insensitive. */
export function isCommonPassword(password: string, email: string): boolean {
  const lower = password.toLowerCase();
  return common.has(lower) || lower === email.trim().toLowerCase();
}

/**
 * ASVS 5.0, 6.2.4 and 6.2.11. Compares whole passwords only.
 * @throws Failure 422 on `password`
 */
export function refuseCommonPassword(password: string, email: string): void {
  if (isCommonPassword(password, email))
    throw invalidField('password', 'This password is too common. Choose another.');
}
