import type { accounts, Call } from '@riskboard/contract';
import { type Database, lockFirstAccount, newId, type Schema } from '@riskboard/db';
import type { Kysely, Transaction } from 'kysely';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { consumeInvitation } from '../organizations/consume-invitation.ts';
import { refuseCommonPassword } from '../passwords/common-password.ts';
import { hashPassword } from '../passwords/hash.ts';
import { deleteStrandedAccount } from './delete-stranded-account.ts';
import { type Device, enterOrganization, type Entered } from './enter-organization.ts';

type SignupBody = Call<typeof accounts.signup>['body'];

/**
 * Creates an account as the owner of a new organisation, or as a member by an invitation, and signs in, in one
 * transaction.
 * @throws Failure 409 for a known address; 403 when sign-up is closed; 404 for an invalid invitation; 422 for a common
 * password
 */
export async function signUp(
  database: Database,
  body: SignupBody,
  { signup, device }: { signup: 'open' | 'invite'; device: Device },
): Promise<Entered> {
  refuseCommonPassword(body.password, body.email);
  const passwordHash = await hashPassword(body.password);
  return database.system.transaction().execute(async (trx) => {
    if (signup === 'invite' && body.invitation === undefined) await admitFirstAccount(trx);
    await deleteStrandedAccount(trx, body.email);
    const accountId = await insertAccount(trx, body, passwordHash);
    const organizationId = body.invitation
      ? (await consumeInvitation(trx, { token: body.invitation, accountId, email: body.email }))
          .organizationId
      : await createOrganization(trx, { accountId, name: body.organization });
    return enterOrganization(trx, {
      accountId,
      organizationId,
      device,
      action: 'account.signed-up',
      joined: body.invitation !== undefined,
    });
  });
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
  return organizationId;
}
