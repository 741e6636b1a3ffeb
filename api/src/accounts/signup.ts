import type { accounts, Call } from '@riskboard/contract';
import { type Database, insertVignettes, lockFirstAccount, newId, type Schema } from '@riskboard/db';
import { starterVignettes } from '@riskboard/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { linkHash } from '../lib/mail/link-token.ts';
import { consumeInvitation, findInvitation } from '../organizations/consume-invitation.ts';
import { refuseCommonPassword } from '../passwords/common-password.ts';
import { hashPassword } from '../passwords/hash.ts';
import { deleteStrandedAccount } from './delete-stranded-account.ts';
import { type Displaced, displaceUnverified } from './displace-unverified.ts';
import { markVerified, requestFirstLink } from './email-change/verification.ts';
import { type Device, enterOrganization, type Entered } from './enter-organization.ts';

interface SignupContext {
  signup: 'open' | 'invite';
  verifyEmail: boolean;
  device: Device;
}

export interface SignedUp extends Entered {
  /** The account that lost the address. */
  displaced: Displaced | undefined;
}

type SignupBody = Call<typeof accounts.signup>['body'];

/**
 * Creates an account as the owner of a new organization, or as a member by an invitation, and signs in, in one
 * transaction. A mailed link takes the address from an account that never confirmed it (decision 0025).
 * @throws Failure 409 for a known address; 403 when sign-up is closed; 404 for an invalid invitation; 422 for a common
 * password
 */
export async function signUp(
  database: Database,
  body: SignupBody,
  { signup, verifyEmail, device }: SignupContext,
): Promise<SignedUp> {
  await refuseCommonPassword(body.password, body.email);
  const passwordHash = await hashPassword(body.password);
  return database.system.transaction().execute(async (trx) => {
    if (signup === 'invite' && body.invitation === undefined) await admitFirstAccount(trx);
    const proven = await provesAddress(trx, body);
    // Without a mail server links are files, which prove nothing.
    const displaced = verifyEmail && proven ? await displaceUnverified(trx, body.email) : undefined;
    await deleteStrandedAccount(trx, body.email);
    const accountId = await insertAccount(trx, body, passwordHash);
    if (proven) await markVerified(trx, accountId);
    const organizationId = body.invitation
      ? (await consumeInvitation(trx, { token: body.invitation, accountId, email: body.email }))
          .organizationId
      : await createOrganization(trx, { accountId, name: body.organization });
    if (verifyEmail && !proven) await requestFirstLink(trx, { accountId, email: body.email });
    const entered = await enterOrganization(trx, {
      accountId,
      organizationId,
      device,
      action: 'account.signed-up',
      joined: body.invitation !== undefined,
    });
    return { ...entered, displaced };
  });
}

/**
 * Whether a mailed link proves that the person owns the address: of an invitation, or of a password reset, which claims
 * the address from an account that never confirmed it.
 * @throws Failure 422 on `claim` when its link is not valid for this address
 */
async function provesAddress(
  trx: Kysely<Schema>,
  { email, claim, invitation }: SignupBody,
): Promise<boolean> {
  if (claim !== undefined) {
    const account = await trx
      .selectFrom('password_reset')
      .innerJoin('account', 'account.id', 'password_reset.account_id')
      .select('account.id')
      .where('token_hash', '=', linkHash(claim))
      .where('expires_at', '>', sql<Date>`now()`)
      .where('account.email', '=', email)
      .where('account.email_verified_at', 'is', null)
      .executeTakeFirst();
    if (!account) throw invalidField('claim', 'This link is no longer valid. Request a new one.');
    return true;
  }
  const found = invitation === undefined ? undefined : await findInvitation(trx, invitation);
  return found !== undefined && found.mailed && found.email.toLowerCase() === email.toLowerCase();
}

/** One sign-up at a time, so that twenty at once create one owner. */
async function admitFirstAccount(trx: Transaction<Schema>): Promise<void> {
  await lockFirstAccount(trx);
  const anyone = await trx.selectFrom('account').select('id').limit(1).executeTakeFirst();
  if (anyone) throw new Failure('signup_closed');
}

async function insertAccount(trx: Kysely<Schema>, body: SignupBody, passwordHash: string): Promise<string> {
  const created = await trx
    .insertInto('account')
    .values({
      id: newId(),
      email: body.email,
      password_hash: passwordHash,
      first_name: body.firstName,
      last_name: body.lastName,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created) return created.id;
  const known = invalidField('email', 'An account with this email address already exists.');
  throw new Failure('conflict', known.message, { details: known.details ?? [] });
}

async function createOrganization(
  trx: Kysely<Schema>,
  { accountId, name }: { accountId: string; name: string },
): Promise<string> {
  const organizationId = newId();
  await trx.insertInto('organization').values({ organization_id: organizationId, name }).execute();
  await trx
    .insertInto('membership')
    .values({ organization_id: organizationId, account_id: accountId, role: 'owner' })
    .execute();
  const starters = starterVignettes.map((vignette) => ({ vignette, originalFilename: '' }));
  await insertVignettes(trx, { organizationId, accountId: null }, starters);
  return organizationId;
}
