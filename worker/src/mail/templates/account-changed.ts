import type { AccountChange } from '@riskboard/contract';
import { product } from '../email.ts';
import { type EmailTemplate, formatTime } from './email-template.ts';
import { unlinkedText } from './plain-text.ts';

interface Change {
  subject: string;
  /** Begins the sentence that names the account and the time. */
  event: string;
  consequence: string;
  /** What to do if the reader did not make the change; absent: reset the password. */
  advice?: string;
}

const changes: Readonly<Record<AccountChange, Change>> = {
  password: {
    subject: `Your ${product} password was changed`,
    event: 'The password was changed',
    consequence: 'All other sessions were logged out.',
  },
  'password-reset': {
    subject: `Your ${product} password was reset`,
    event: 'The password was reset with a link emailed to this address',
    consequence: 'All sessions were logged out.',
  },
  'email-asked': {
    subject: `Another email address was entered for your ${product} account`,
    event: 'Another email address was entered',
    consequence: 'Nothing has changed yet: the new address must be confirmed first.',
  },
  email: {
    subject: `The email address of your ${product} account was changed`,
    event: 'The email address was changed',
    consequence: 'Login and emails now use the new address.',
    advice: 'If it was not you, contact an owner of your organization at once.',
  },
  'second-factor-enabled': {
    subject: `Two-factor login for ${product} was turned on`,
    event: 'Two-factor login was turned on',
    consequence: 'Login now requires a code from the authenticator app. All other sessions were logged out.',
  },
  'second-factor-disabled': {
    subject: `Two-factor login for ${product} was turned off`,
    event: 'Two-factor login was turned off',
    consequence: 'The password alone is enough to log in.',
  },
  'second-factor-reset': {
    subject: `Your second factor for ${product} was removed`,
    event: 'An owner of your organization removed the second factor',
    consequence:
      'The password alone is enough to log in. Set up a new second factor under Settings, Security.',
  },
  'recovery-codes-renewed': {
    subject: `New recovery codes for ${product}`,
    event: 'New recovery codes were created',
    consequence: 'The old codes no longer work.',
  },
  'recovery-code-used': {
    subject: `A recovery code was used to log in to ${product}`,
    event: 'A recovery code was used to log in instead of the authenticator app',
    consequence: 'That code no longer works.',
  },
  'second-factor-guessed': {
    subject: `Wrong login codes for your ${product} account`,
    event: 'The tenth wrong code within an hour was entered after the right password',
    consequence:
      'Another person may know your password. For up to an hour, login accepts only a recovery code; a new password ends this.',
  },
  'token-created': {
    subject: `An API token was created for your ${product} account`,
    event: 'An API token was created',
    consequence:
      'Scripts that have the token can use the account, with at most your role, until it expires. A password reset revokes your API tokens.',
  },
};

/** For a change that only a newer api knows. */
const unknownChange: Change = {
  subject: `Your ${product} account was changed`,
  event: 'A login setting was changed',
  consequence: 'See Settings, Security for the current settings.',
};

const changeOf = (detail: string): Change =>
  Object.hasOwn(changes, detail) ? changes[detail as AccountChange] : unknownChange;

/**
 * Notifies a person of a change to their account (ASVS 5.0, 6.3.7); nothing is sent if the account no longer exists.
 * After a change of address (`subjectId` set) the mail goes to the previous address.
 */
export const accountChangedEmail: EmailTemplate = async (
  { system, origin },
  { email, subjectId, detail, createdAt },
) => {
  const account = await system
    .selectFrom('account')
    .select(['email', 'first_name'])
    .where(subjectId === null ? 'email' : 'id', '=', subjectId ?? email)
    .executeTakeFirst();
  if (!account) return undefined;
  const { subject, event, consequence, advice } = changeOf(detail);
  const to = subjectId === null ? account.email : email;
  return {
    to,
    subject,
    paragraphs: [
      `Hello ${unlinkedText(account.first_name)},`,
      `${event} for your ${product} account ${to} on ${formatTime(createdAt)}. ${consequence}`,
      `If it was you, no action is needed. ${advice ?? 'If it was not you, reset your password at once and contact an owner of your organization.'}`,
    ],
    ...(advice === undefined ? { action: { label: 'Reset the password', url: `${origin}/` } } : {}),
    notes: ['This email is about the security of your account, so it cannot be turned off.'],
  };
};
