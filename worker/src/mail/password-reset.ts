import { sql } from 'kysely';
import { product } from './letter.ts';
import { unlinkedText } from './plain-text.ts';
import { makeSecretLink } from './secret-link.ts';
import type { WriteLetter } from './write-letter.ts';

/** The way to a new password (contract, Accounts: single use, 10 minutes). An address without an account gets nothing. */
export const writePasswordReset: WriteLetter = async ({ system, origin }, { email }) => {
  const account = await system
    .selectFrom('account')
    .select(['id', 'email', 'first_name'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (!account) return undefined;
  const link = makeSecretLink(origin, '/reset-password');
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
      `Somebody, most likely you, asked to reset the password of your ${product} account. To choose a new one, open this link within 10 minutes. It works once, and it ends every session of yours.`,
    ],
    action: { label: 'Choose a new password', url: link.url },
    notes: ['If you did not ask for this, ignore this mail: your password stays as it is.'],
  };
};
