import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, lockLoginAddress, newId } from '@riskboard/db';
import { sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import { networkOf } from '../lib/security/network-of.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';

/** Contract, Accounts: 5 failures for an account from one address, or 20 from an address, in 15 minutes. */
const limits = { fromOneAddress: 5, ofAddress: 20, minutes: 15 } as const;
/** From many addresses an account is slowed down, never locked: doubling from 100 ms to 5 s after 10 failures. */
const slowDown = { after: 10, firstMs: 100, mostMs: 5000 } as const;

/** A guess at the secret of an account, whether it exists or not. */
export interface Attempt {
  email: string;
  /** Counted as its network. */
  address: string;
}

const accountKey = (email: string): Buffer =>
  createHash('sha256').update(email.trim().toLowerCase()).digest();

const since = sql`now() - make_interval(mins => ${limits.minutes})`;

/** Without it a burst of right log-ins from one address would meet its own reservations. */
const oneByOne = oneAtATime();

/** Waits a little when an account is guessed at from all over. */
async function slowDownGuessing(database: Database, { email }: Attempt): Promise<void> {
  const { rows } = await sql<{ failures: number }>`
    select count(*)::int as failures from login_failure
    where account_key = ${accountKey(email)} and at > ${since}`.execute(database.system);
  const over = (rows[0]?.failures ?? 0) - slowDown.after;
  if (over > 0) await sleep(Math.min(slowDown.mostMs, slowDown.firstMs * 2 ** (over - 1)));
}

/**
 * Counts an attempt before it is judged: whatever number of processes is asked at once, no more than the limit are.
 * @returns its id, to take it back
 * @throws Failure 429 with Retry-After when too much was guessed from this address.
 */
export function reserveAttempt(database: Database, { email, ...from }: Attempt): Promise<string> {
  const key = accountKey(email);
  const address = networkOf(from.address);
  return database.system.transaction().execute(async (trx) => {
    await lockLoginAddress(trx, address);
    const { rows } = await sql<{ both: number; all: number; bothWait: number; allWait: number }>`
      select count(*) filter (where account_key = ${key})::int as both, count(*)::int as "all",
        ceil(extract(epoch from min(at) filter (where account_key = ${key}) - (${since})))::int as "bothWait",
        ceil(extract(epoch from min(at) - (${since})))::int as "allWait"
      from login_failure where at > ${since} and address = ${address}`.execute(trx);
    const seen = rows[0];
    if (seen && seen.all >= limits.ofAddress) throw tooMany(seen.allWait);
    if (seen && seen.both >= limits.fromOneAddress) throw tooMany(seen.bothWait);
    const id = newId();
    await trx.insertInto('login_failure').values({ id, account_key: key, address }).execute();
    return id;
  });
}

const tooMany = (seconds: number): Failure =>
  new Failure('too_many', undefined, { headers: { 'retry-after': String(Math.max(1, seconds)) } });

async function takeBack(database: Database, id: string): Promise<void> {
  await database.system.deleteFrom('login_failure').where('id', '=', id).execute();
}

/** A success clears what this address got wrong for this account. */
export async function forgetFailures(database: Pick<Database, 'system'>, attempt: Attempt): Promise<void> {
  await database.system
    .deleteFrom('login_failure')
    .where('account_key', '=', accountKey(attempt.email))
    .where('address', '=', networkOf(attempt.address))
    .execute();
}

/** What a wrong guess is answered with; any other failure, such as a second factor that is missing, decides nothing. */
export const isWrongGuess = (error: unknown): boolean =>
  error instanceof Failure && (error.code === 'invalid_credentials' || error.code === 'wrong_password');

/**
 * Runs what looks at a secret under the limits of the contract. It is right when it returns and wrong when it throws
 * isWrongGuess; what it throws else neither counts nor clears what was counted: whoever knows a password must not
 * reset the count of the codes that they guess.
 * @throws Failure 429, and whatever `judge` throws
 */
export async function underAttemptLimits<T>(
  database: Database,
  attempt: Attempt,
  judge: () => Promise<T>,
): Promise<T> {
  await slowDownGuessing(database, attempt);
  return oneByOne(networkOf(attempt.address), async () => {
    const reserved = await reserveAttempt(database, attempt);
    try {
      const judged = await judge();
      await forgetFailures(database, attempt);
      return judged;
    } catch (error) {
      if (!isWrongGuess(error)) await takeBack(database, reserved);
      throw error;
    }
  });
}
