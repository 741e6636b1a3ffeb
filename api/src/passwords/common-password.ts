import { invalidField } from '../lib/http/failure.ts';

/** Shorter passwords are refused for their length (contract, Accounts). */
const shortest = 12;

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

interface Lists {
  /** Refused passwords. */
  common: ReadonlySet<string>;
  /** Frequent passwords of letters and the context-specific terms; shorter ones are parts of too many words. */
  roots: ReadonlySet<string>;
}

let loaded: Promise<Lists> | undefined;

/** Loaded at the first use: only calls that set a password need it. */
async function load(): Promise<Lists> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  /** Most frequent first, lower case. */
  const known = dictionary['passwords-common'];
  const frequent = known.slice(0, rootCount);
  const all = [...known, ...contextTerms, ...[...frequent, ...contextTerms].flatMap(lengthened)];
  return {
    common: new Set(all.filter((text) => text.length >= shortest)),
    roots: new Set([...frequent.filter((text) => /^[a-z]{4,}$/u.test(text)), ...contextTerms, 'password']),
  };
}

const lists = (): Promise<Lists> => (loaded ??= load());

/** Number of refused passwords; ASVS 5.0, 6.2.4 requires at least 3,000 that satisfy the other rules. */
export const commonPasswords = async (): Promise<number> => (await lists()).common.size;

/** Letters that are often replaced by digits and signs. */
const lookalikes = [
  ['@', 'a'],
  ['$', 's'],
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
] as const;

const withoutLookalikes = (text: string): string =>
  lookalikes.reduce((read, [sign, character]) => read.replaceAll(sign, character), text);

/** Anything but letters and digits. */
const separators = /[^\p{L}\p{N}]+/gu;
/** A year before or after the other characters, which may have further digits. */
const withYear = [/^(?<root>.*?)(?:19|20)\d\d\d*$/u, /^(?:19|20)\d\d(?<root>.*)$/u] as const;

/** Whether a password is one or two roots and a year, in any case and with any separators: `Riskboard-2026!`. */
function isRootWithYear(roots: ReadonlySet<string>, lower: string): boolean {
  const bare = lower.replaceAll('@', 'a').replaceAll('$', 's').replaceAll(separators, '');
  return withYear.some((form) => {
    const root = form.exec(bare)?.groups?.['root'];
    return root !== undefined && (isRoots(roots, root) || isRoots(roots, withoutLookalikes(root)));
  });
}

function isRoots(roots: ReadonlySet<string>, text: string): boolean {
  if (roots.has(text)) return true;
  for (let end = 4; end <= text.length - 4; end += 1)
    if (roots.has(text.slice(0, end)) && roots.has(text.slice(end))) return true;
  return false;
}

/** The name of the mailbox without separators: `ada.lovelace@example.org` is `adalovelace`. */
const mailboxOf = (email: string): string =>
  (email.trim().toLowerCase().split('@')[0] ?? '').replaceAll(separators, '');

/**
 * Whether a password is in the list, is the person's own address, or is such a term or the name of the mailbox with a
 * year; case-insensitive.
 */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  const { common, roots } = await lists();
  const lower = password.toLowerCase();
  if (common.has(lower) || lower === email.trim().toLowerCase() || isRootWithYear(roots, lower)) return true;
  const bare = lower.replaceAll(separators, '');
  const mailbox = mailboxOf(email);
  return mailbox.length >= 4 && withYear.some((form) => form.exec(bare)?.groups?.['root'] === mailbox);
}

/**
 * ASVS 5.0, 6.2.4 and 6.2.11. A longer password that contains one of these is accepted.
 * @throws Failure 422 on `password`
 */
export async function refuseCommonPassword(password: string, email: string): Promise<void> {
  if (await isCommonPassword(password, email))
    throw invalidField('password', 'This password is too common. Choose another.');
}
