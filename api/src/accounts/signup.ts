import { type Call, type accounts } from '@riskboard/contract';
import { type Database, newId } from '@riskboard/db';
import { sql } from 'kysely';
import { Failure, invalidField } from '../lib/failure.ts';
import { hashPassword } from '../passwords/hash.ts';

type SignupBody = Call<typeof accounts.signup>['body'];

/** Serialises sign-ups while only the first account may be made, so that twenty at once make one owner. */
const firstAccountLock = 7_241_001;

/**
 * Makes an account and an organisation of its own, of which it is the owner.
 * @throws Failure 409 for a known address; 403 when sign-up is closed.
 */
export async function createAccount(
  database: Database,
  body: SignupBody,
  signup: 'open' | 'invite',
): Promise<{ accountId: string; organizationId: string }> {
  const passwordHash = await hashPassword(body.password);
  return database.system.transaction().execute(async (trx) => {
    if (signup === 'invite') {
      await sql`select pg_advisory_xact_lock(${firstAccountLock})`.execute(trx);
      const anyone = await trx.selectFrom('account').select('id').limit(1).executeTakeFirst();
      if (anyone) throw new Failure('signup_closed');
    }
    const accountId = newId();
    const organizationId = newId();
    const made = await trx
      .insertInto('account')
      .values({
        id: accountId,
        email: body.email,
        password_hash: passwordHash,
        first_name: body.firstName,
        last_name: body.lastName,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) {
      const known = invalidField('email', 'An account with this email address already exists.');
      throw new Failure('conflict', known.message, { details: known.details ?? [] });
    }
    await trx
      .insertInto('organization')
      .values({ organization_id: organizationId, name: body.organization })
      .execute();
    await trx
      .insertInto('membership')
      .values({ organization_id: organizationId, account_id: accountId, role: 'owner' })
      .execute();
    return { accountId, organizationId };
  });
}
