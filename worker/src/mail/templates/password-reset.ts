import { sql } from 'kysely';
import { product } from '../email.ts';
import { type EmailTemplate, formatTime } from './email-template.ts';
import { unlinkedText } from './plain-text.ts';
import { makeSecretLink } from './secret-link.ts';

/** A link to choose a new password (contract, Accounts: single use, 10 minutes). Nothing is sent without an account. */
export const passwordResetEmail: EmailTemplate = async ({ system, origin, verifyEmail }, { email }) => {
  const account = await system
    .selectFrom('account')
    .select(['id', 'email', 'first_name', 'created_at', 'email_verified_at'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (!account) return undefined;
  const link = makeSecretLink(origin, '/reset-password');
  const unconfirmed = verifyEmail && account.email_verified_at === null;
  const claimUrl = link.url.replace('/reset-password?token=', '/signup?claim=');
  await system
    .insertInto('password_reset')
    .values({
      token_hash: link.hash,
      account_id: account.id,
      expires_at: sql<Date>`now() + interval '10 minutes'`,
    })
    .execute();
  return {
    to: account.email,
    subject: `Reset your ${product} password`,
    paragraphs: [
      `Hello ${unlinkedText(account.first_name)},`,
      ...(unconfirmed ? [unconfirmedText(account.created_at, claimUrl)] : []),
      `We received a request to reset the password of your ${product} account. To choose a new password, open this link within 10 minutes. It works once, and using it signs out all your sessions.`,
    ],
    action: { label: 'Choose a new password', url: link.url },
    notes: ['If you did not request this, ignore this email: your password stays the same.'],
  };
};

/** The same secret serves both pages, and the first use ends it. */
const unconfirmedText = (created: Date, claimUrl: string): string =>
  `This account was created on ${formatTime(created)}, and its email address has never been confirmed. If you did not create it, do not reset its password: create your own account at ${claimUrl} instead. The address is then removed from the other account, and you get no access to it.`;
