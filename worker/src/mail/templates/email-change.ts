import { sql } from 'kysely';
import { product } from '../email.ts';
import { type EmailTemplate, formatTime } from './email-template.ts';
import { unlinkedText } from './plain-text.ts';
import { makeSecretLink } from './secret-link.ts';

interface RequestedChange {
  email: string;
  expires_at: Date;
  /** The address that the account has now. */
  current: string;
  first_name: string;
  /** The requested address as spelled by another account that has it; null if it is free. */
  taken_by: string | null;
}

/**
 * Sends the new address, or the current one of a new account, a link that confirms it. An account that never confirmed
 * the address loses it (decision 0025). If another account has that address, its owner gets a mail without a
 * link; the api does not reveal this to the requester. Nothing is sent for a request that expired or was replaced, or
 * that a password change deleted.
 */
export const emailChangeEmail: EmailTemplate = async (
  { system, origin, verifyEmail },
  { email, subjectId },
) => {
  const link = makeSecretLink(origin, '/confirm-email');
  const { rows } = await sql<RequestedChange>`
    with requested as (
      select c.account_id, c.email, a.email as current, a.first_name,
        (select other.email from account other
          where other.email = c.email and other.id <> c.account_id
            and (other.email_verified_at is not null or not ${verifyEmail}::boolean)
            and exists (select from membership m where m.account_id = other.id)) as taken_by
      from email_change c join account a on a.id = c.account_id
      where c.account_id = ${subjectId} and c.email = ${email}::citext and c.expires_at > now())
    update email_change c set token_hash = case when requested.taken_by is null then ${link.hash}::bytea end
    from requested where c.account_id = requested.account_id
    returning c.email::text, c.expires_at, requested.current::text, requested.first_name, requested.taken_by::text`.execute(
    system,
  );
  const [change] = rows;
  if (!change) return undefined;
  if (change.email.toLowerCase() === change.current.toLowerCase()) return verification(change, link.url);
  return change.taken_by === null ? confirmation(change, link.url) : takenNotice(change, change.taken_by);
};

const confirmation = ({ email, current, first_name, expires_at }: RequestedChange, url: string) => ({
  to: email,
  subject: `Confirm your email address for ${product}`,
  paragraphs: [
    `Hello ${unlinkedText(first_name)},`,
    `This address was entered as the new email address of the ${product} account ${current}. To log in with ${email} from now on, open this link before ${formatTime(expires_at)}. It works once.`,
  ],
  action: { label: 'Confirm the address', url },
  notes: ['If that account is not yours, ignore this email: nothing will change.'],
});

const verification = ({ email, first_name, expires_at }: RequestedChange, url: string) => ({
  to: email,
  subject: `Confirm your ${product} account`,
  paragraphs: [
    `Hello ${unlinkedText(first_name)},`,
    `A ${product} account was created with this address. To confirm that the address is yours, open this link before ${formatTime(expires_at)}. It works once.`,
  ],
  action: { label: 'Confirm the address', url },
  notes: [
    'If you did not create this account, do not open the link. You can still sign up yourself: request a password reset, and follow the email that you get.',
  ],
});

const takenNotice = ({ current }: RequestedChange, to: string) => ({
  to,
  subject: `Your email address was entered at ${product}`,
  paragraphs: [
    'Hello,',
    `The owner of the ${product} account ${current} entered this address as their new one. It already belongs to another account, so nothing has changed.`,
    'If it was you: with the account that you no longer need, leave or delete all organizations, then try again.',
  ],
  notes: ['If it was not you, no action is needed.'],
});
