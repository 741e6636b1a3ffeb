import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@riskboard/db';
import { sql } from 'kysely';
import { Failure } from '../lib/failure.ts';

/** Contract, Accounts: 5 failures for an account from one address, or 20 from an address, in 15 minutes. */
const limits = { fromOneAddress: 5, ofAddress: 20, minutes: 15 } as const;
/** From many addresses an account is slowed down, never locked: doubling from 100 ms to 5 s after 10 failures. */
const slowDown = { after: 10, firstMs: 100, mostMs: 5000 } as const;

export interface Attempt {
  email: string;
  address: string;
}

const accountKey = (email: string): Buffer =>
  createHash('sha256').update(email.trim().toLowerCase()).digest();

const since = sql`now() - make_interval(mins => ${limits.minutes})`;

/** Waits a little when an account is guessed at from all over. */
export async function slowDownGuessing(database: Database, { email }: Attempt): Promise<void> {
  const { rows } = await sql<{ failures: number }>`
    select count(*)::int as failures from login_failure
    where account_key = ${accountKey(email)} and at > ${since}`.execute(database.system);
  const over = (rows[0]?.failures ?? 0) - slowDown.after;
  if (over > 0) await sleep(Math.min(slowDown.mostMs, slowDown.firstMs * 2 ** (over - 1)));
}

/** @throws Failure 429 with Retry-After when too much was guessed from this address. */
export async function admitAttempt(database: Database, attempt: Attempt): Promise<void> {
  const key = accountKey(attempt.email);
  const { rows } = await sql<{ both: number; address: number; wait: number }>`
    select count(*) filter (where account_key = ${key})::int as both, count(*)::int as address,
      ceil(extract(epoch from min(at) - (${since})))::int as wait
    from login_failure where at > ${since} and address = ${attempt.address}`.execute(database.system);
  const seen = rows[0];
  if (!seen) return;
  if (seen.both >= limits.fromOneAddress || seen.address >= limits.ofAddress) {
    throw new Failure('too_many', undefined, { headers: { 'retry-after': String(Math.max(1, seen.wait)) } });
  }
}

export async function recordFailure(database: Database, attempt: Attempt): Promise<void> {
  await database.system
    .insertInto('login_failure')
    .values({ account_key: accountKey(attempt.email), address: attempt.address })
    .execute();
  await sql`delete from login_failure where at < now() - interval '1 day'`.execute(database.system);
}

/** A success clears what this address got wrong for this account. */
export async function forgetFailures(database: Database, attempt: Attempt): Promise<void> {
  await database.system
    .deleteFrom('login_failure')
    .where('account_key', '=', accountKey(attempt.email))
    .where('address', '=', attempt.address)
    .execute();
}
