import { type Database, lockAccount, newId, type Schema } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { type Kysely, sql } from 'kysely';
import { recordInOrganizations, organizationsOf } from '../accounts/account-activity.ts';
import type { Credentials } from '../accounts/credentials.ts';
import { Failure } from '../lib/http/failure.ts';
import { requestMail } from '../lib/mail/request-mail.ts';

/** Wrong codes of the authenticator app per account, from any address; then only a recovery code is accepted. */
const limit = { codes: 10, minutes: 60 } as const;
const since = sql<Date>`now() - make_interval(mins => ${limit.minutes})`;

/** A code of the app, or a recovery code, is wrong or was used before. */
export class WrongCode extends Failure {
  constructor() {
    super('invalid_credentials', 'Invalid code. Enter the next one from your app.');
  }
}

export type CodeOwner = Pick<Credentials, 'id' | 'email' | 'firstName' | 'lastName' | 'totpSecret'>;

interface Limited {
  account: CodeOwner;
  /** IP address of the caller. */
  address: string;
}

/**
 * Runs the check of an app's code under the limit of the account. A person who knows the password could guess six
 * digits by trying from many network addresses (ASVS 5.0, 6.3.1). The code is counted before it is checked, so that
 * concurrent attempts in several processes cannot exceed the limit; a correct code does not count.
 * @throws Failure 429 when the limit is reached, and any error of `check`
 */
export async function underCodeLimit<T>(
  database: Database,
  limited: Limited,
  check: () => Promise<T>,
): Promise<T> {
  const { id, last } = await reserveCode(database, limited.account.id);
  try {
    const result = await check();
    await releaseCode(database, id);
    return result;
  } catch (error) {
    if (!(error instanceof WrongCode)) await releaseCode(database, id);
    else if (last) await reportGuessing(database, limited);
    throw error;
  }
}

function reserveCode(database: Database, accountId: string): Promise<{ id: string; last: boolean }> {
  return database.system.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    const { wrong, wait } = await trx
      .selectFrom('second_factor_failure')
      .select(({ fn }) => [
        fn.countAll<number>().as('wrong'),
        sql<number>`coalesce(ceil(extract(epoch from min(at) - (${since})))::int, 1)`.as('wait'),
      ])
      .where('account_id', '=', accountId)
      .where('at', '>', since)
      .executeTakeFirstOrThrow();
    if (wrong >= limit.codes) {
      throw new Failure('too_many', 'Too many wrong codes. Use a recovery code, or try again in an hour.', {
        headers: { 'retry-after': String(Math.max(1, wait)) },
      });
    }
    const id = newId();
    await trx.insertInto('second_factor_failure').values({ id, account_id: accountId }).execute();
    return { id, last: wrong === limit.codes - 1 };
  });
}

async function releaseCode(database: Database, id: string): Promise<void> {
  await database.system.deleteFrom('second_factor_failure').where('id', '=', id).execute();
}

/** Forgets wrong codes after a change of the password, which the person who entered them knew. */
export async function forgetWrongCodes(system: Kysely<Schema>, accountId: string): Promise<void> {
  await system.deleteFrom('second_factor_failure').where('account_id', '=', accountId).execute();
}

async function reportGuessing(database: Database, { account, address }: Limited): Promise<void> {
  await database.system.transaction().execute(async (trx) => {
    await requestMail(trx, {
      kind: 'account-changed',
      email: account.email,
      detail: 'second-factor-guessed',
    });
    await recordInOrganizations(
      trx,
      { accountId: null, actor: '', address, organizationIds: await organizationsOf(trx, account.id) },
      { action: 'account.code-limit-reached', nounId: account.id, name: actorOf(account) },
    );
  });
}
