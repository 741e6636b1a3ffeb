import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '@riskboard/contract';
import { type Database, lockLoginAddress, newId, type Schema } from '@riskboard/db';
import { sql, type Transaction } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import { networkOf } from '../lib/security/network-of.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';

/**
 * Contract, Accounts: 5 failures for an account from one address, or 20 from an address, in 15 minutes. After 20 failures
 * of its known browsers together, an account's browsers are counted by their address: with a stolen session, or with a
 * password that is no longer valid, anyone may have obtained the cookies of many browsers.
 */
const limits = { fromOneAddress: 5, ofAddress: 20, ofBrowsers: 20, minutes: 15 } as const;
/** Attempts from many addresses slow an account down but never lock it: after 10 failures 100 ms, doubling to 5 s. */
const slowDown = { after: 10, firstMs: 100, mostMs: 5000 } as const;

/** An attempt to sign in; the account need not exist. */
export interface Attempt {
  email: string;
  /** Counted by its network. */
  address: string;
  /**
   * Id of a browser that had a session of this account: counted by it instead of its address, so that others at the
   * address cannot lock it out.
   */
  device?: string | undefined;
}

const browser = (device: string): string => `device ${device}`;

export const accountKey = (email: string): Buffer =>
  createHash('sha256').update(email.trim().toLowerCase()).digest();

const since = sql`now() - make_interval(mins => ${limits.minutes})`;

/** Prevents many correct logins from one address at once from counting each other's reservations. */
const oneByOne = oneAtATime();

/** Delays an attempt on an account that has many failures from any address. */
async function slowDownGuessing(database: Database, { email }: Attempt): Promise<void> {
  const { rows } = await sql<{ failures: number }>`
    select count(*)::int as failures from login_failure
    where account_key = ${accountKey(email)} and at > ${since}`.execute(database.system);
  const over = (rows[0]?.failures ?? 0) - slowDown.after;
  if (over > 0) await sleep(Math.min(slowDown.mostMs, slowDown.firstMs * 2 ** (over - 1)));
}

/** An attempt that is counted as a failure until it is decided. */
interface Reserved {
  id: string;
  key: Buffer;
  /** The network or browser that it is counted by. */
  source: string;
}

/** Counts an attempt under the lock of its source. @throws Failure 429 with Retry-After */
async function reserve(trx: Transaction<Schema>, { key, source }: Omit<Reserved, 'id'>): Promise<Reserved> {
  const { rows } = await sql<{ both: number; all: number; bothWait: number; allWait: number }>`
    select count(*) filter (where account_key = ${key})::int as both, count(*)::int as "all",
      ceil(extract(epoch from min(at) filter (where account_key = ${key}) - (${since})))::int as "bothWait",
      ceil(extract(epoch from min(at) - (${since})))::int as "allWait"
    from login_failure where at > ${since} and address = ${source}`.execute(trx);
  const seen = rows[0];
  if (seen && seen.all >= limits.ofAddress) throw tooMany(seen.allWait);
  if (seen && seen.both >= limits.fromOneAddress) throw tooMany(seen.bothWait);
  const id = newId();
  await trx.insertInto('login_failure').values({ id, account_key: key, address: source }).execute();
  return { id, key, source };
}

/** Counts an attempt by its browser; undefined when the browsers of the account have too many failures. */
const reserveByBrowser = (database: Database, key: Buffer, device: string): Promise<Reserved | undefined> =>
  database.system.transaction().execute(async (trx) => {
    await lockLoginAddress(trx, browser(key.toString('base64url')));
    const { rows } = await sql<{ failures: number }>`
      select count(*)::int as failures from login_failure
      where account_key = ${key} and at > ${since} and address like 'device %'`.execute(trx);
    const isTrusted = (rows[0]?.failures ?? 0) < limits.ofBrowsers;
    return isTrusted ? reserve(trx, { key, source: browser(device) }) : undefined;
  });

/**
 * Counts an attempt as a failure before it is checked, so that concurrent attempts in several processes cannot exceed
 * the limit.
 * @throws Failure 429 with Retry-After when this address has too many failures
 */
export async function reserveAttempt(
  database: Database,
  { email, address, device }: Attempt,
): Promise<Reserved> {
  const key = accountKey(email);
  const byBrowser = device === undefined ? undefined : await reserveByBrowser(database, key, device);
  if (byBrowser) return byBrowser;
  const source = networkOf(address);
  return database.system.transaction().execute(async (trx) => {
    await lockLoginAddress(trx, source);
    return reserve(trx, { key, source });
  });
}

const tooMany = (seconds: number): Failure =>
  new Failure('too_many', undefined, { headers: { 'retry-after': String(Math.max(1, seconds)) } });

async function releaseAttempt({ system }: Database, { id }: Reserved): Promise<void> {
  await system.deleteFrom('login_failure').where('id', '=', id).execute();
}

/** Clears the failures of this network or browser for this account. */
export async function forgetFailures(
  { system }: Pick<Database, 'system'>,
  { key, source }: Omit<Reserved, 'id'>,
): Promise<void> {
  await system
    .deleteFrom('login_failure')
    .where('account_key', '=', key)
    .where('address', '=', source)
    .execute();
}

const wrongSecrets = new Set<ErrorCode>(['invalid_credentials', 'wrong_password', 'wrong_code']);

/** Whether the error means a wrong secret; other failures, such as a missing second factor, do not count. */
export const isWrongGuess = (error: unknown): boolean =>
  error instanceof Failure && wrongSecrets.has(error.code);

/**
 * Checks a secret under the attempt limits of the contract. A return clears the counted failures, an error for which
 * `isWrongGuess` holds counts as a failure, and any other error does neither: a known password must not reset the count
 * of guessed second-factor codes.
 * @throws Failure 429, and any error of `check`
 */
export async function underAttemptLimits<T>(
  database: Database,
  attempt: Attempt,
  check: () => Promise<T>,
): Promise<T> {
  await slowDownGuessing(database, attempt);
  return oneByOne(attempt.device ?? networkOf(attempt.address), async () => {
    const reserved = await reserveAttempt(database, attempt);
    try {
      const result = await check();
      await forgetFailures(database, reserved);
      return result;
    } catch (error) {
      if (!isWrongGuess(error)) await releaseAttempt(database, reserved);
      throw error;
    }
  });
}
