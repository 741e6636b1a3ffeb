import type { AccountChange } from '@riskboard/contract';
import { product } from './letter.ts';
import { unlinkedText } from './plain-text.ts';
import { moment, type WriteLetter } from './write-letter.ts';

interface Change {
  subject: string;
  /** Goes on with the time. */
  happened: string;
  /** What it means. */
  now: string;
  /** What to do if it was somebody else; absent: reset the password. */
  otherwise?: string;
}

const changes: Readonly<Record<AccountChange, Change>> = {
  password: {
    subject: `Your ${product} password was changed`,
    happened: 'The password was changed',
    now: 'Every other session has ended.',
  },
  'password-reset': {
    subject: `Your ${product} password was reset`,
    happened: 'The password was reset with a link that was mailed to this address',
    now: 'Every session has ended.',
  },
  'email-asked': {
    subject: `Another email address was entered for your ${product} account`,
    happened: 'Another email address was entered',
    now: 'Nothing has changed yet: the new address has to be confirmed first.',
  },
  email: {
    subject: `The email address of your ${product} account was changed`,
    happened: 'The email address was changed',
    now: 'Signing in and mails take the new one from now on.',
    otherwise: 'If it was not, tell an owner of your organization at once.',
  },
  'second-factor-enabled': {
    subject: `Two-factor sign-in for ${product} was turned on`,
    happened: 'Two-factor sign-in was turned on',
    now: 'Signing in now takes a code of the authenticator app. Every other session has ended.',
  },
  'second-factor-disabled': {
    subject: `Two-factor sign-in for ${product} was turned off`,
    happened: 'Two-factor sign-in was turned off',
    now: 'The password alone is enough to sign in.',
  },
  'second-factor-reset': {
    subject: `Your second factor for ${product} was removed`,
    happened: 'An owner of your organization removed the second factor',
    now: 'The password alone is enough to sign in. Set up a new second factor under Settings, Security.',
  },
  'recovery-codes-renewed': {
    subject: `New recovery codes for ${product}`,
    happened: 'New recovery codes were made',
    now: 'The old ones no longer work.',
  },
  'recovery-code-used': {
    subject: `A recovery code was used to sign in to ${product}`,
    happened: 'A recovery code was used to sign in in place of the authenticator app',
    now: 'That code no longer works.',
  },
};

/** A newer api may tell what this worker has no words for yet. */
const unknownChange: Change = {
  subject: `Your ${product} account was changed`,
  happened: 'The way to sign in was changed',
  now: 'Settings, Security shows how it stands.',
};

const changeOf = (detail: string): Change =>
  Object.hasOwn(changes, detail) ? changes[detail as AccountChange] : unknownChange;

/**
 * Tells a person what was done to their account (ASVS 5.0, 6.3.7). Whoever has no account any more is not told. A mail
 * about an account goes to the address that it had then, any other to the one that it has.
 */
export const writeAccountChanged: WriteLetter = async (
  { system, origin },
  { email, subjectId, detail, createdAt },
) => {
  const account = await system
    .selectFrom('account')
    .select(['email', 'first_name'])
    .where(subjectId === null ? 'email' : 'id', '=', subjectId ?? email)
    .executeTakeFirst();
  if (!account) return undefined;
  const { subject, happened, now, otherwise } = changeOf(detail);
  const to = subjectId === null ? account.email : email;
  return {
    to,
    subject,
    paragraphs: [
      `Hello ${unlinkedText(account.first_name)},`,
      `${happened} for your ${product} account ${to} on ${moment(createdAt)}. ${now}`,
      `If it was you, there is nothing to do. ${otherwise ?? 'If it was not, reset your password at once and tell an owner of your organization.'}`,
    ],
    ...(otherwise === undefined ? { action: { label: 'Reset the password', url: `${origin}/` } } : {}),
    notes: ['You get this mail because it concerns how you sign in; it cannot be turned off.'],
  };
};
