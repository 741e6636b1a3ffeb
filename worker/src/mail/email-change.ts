import { sql } from 'kysely';
import { product } from './letter.ts';
import { unlinkedText } from './plain-text.ts';
import { makeSecretLink } from './secret-link.ts';
import { moment, type WriteLetter } from './write-letter.ts';

interface Asked {
  email: string;
  expires_at: Date;
  /** The address that the account has now, and its person's first name. */
  current: string;
  first_name: string;
  /** The asked address as its own account writes it; null when it has none. */
  owner: string | null;
}

/**
 * The link that changes an address to the one that it is mailed to; an address that has an account is told so, here and
 * nowhere else. A request that ran out, was replaced or ended with the password is not mentioned again.
 */
export const writeEmailChange: WriteLetter = async ({ system, origin }, { email, subjectId }) => {
  const link = makeSecretLink(origin, '/confirm-email');
  const { rows } = await sql<Asked>`
    with asked as (
      select c.account_id, c.email, a.email as current, a.first_name,
        (select other.email from account other
          where other.email = c.email
            and exists (select from membership m where m.account_id = other.id)) as owner
      from email_change c join account a on a.id = c.account_id
      where c.account_id = ${subjectId} and c.email = ${email}::citext and c.expires_at > now())
    update email_change c set token_hash = case when asked.owner is null then ${link.hash}::bytea end
    from asked where c.account_id = asked.account_id
    returning c.email::text, c.expires_at, asked.current::text, asked.first_name, asked.owner::text`.execute(
    system,
  );
  const [asked] = rows;
  if (!asked) return undefined;
  return asked.owner === null ? linkTo(asked, link.url) : alreadyKnown(asked, asked.owner);
};

const linkTo = ({ email, current, first_name, expires_at }: Asked, url: string) => ({
  to: email,
  subject: `Confirm your email address for ${product}`,
  paragraphs: [
    `Hello ${unlinkedText(first_name)},`,
    `This address was entered as the new one of the ${product} account ${current}. To sign in with ${email} from now on, open this link before ${moment(expires_at)}. It works once.`,
  ],
  action: { label: 'Confirm the address', url },
  notes: ['If that account is not yours, ignore this mail: nothing happens then.'],
});

const alreadyKnown = ({ current }: Asked, owner: string) => ({
  to: owner,
  subject: `Your email address was entered at ${product}`,
  paragraphs: [
    'Hello,',
    `Somebody wants to use this address for the ${product} account ${current}. It has an account of its own already, so nothing has changed.`,
    'If it was you: leave or delete the organizations of the account that you do not need any more, then try again.',
  ],
  notes: ['If it was not you, there is nothing to do.'],
});
