import { createHash, randomBytes } from 'node:crypto';
import type { Schema } from '@riskboard/db';
import type { Kysely } from 'kysely';
import { Secret } from 'otpauth';

const codeCount = 10;
/** 120 random bits are 24 base32 characters, and need no slow hash (ASVS 5.0, 6.5.2: from 112 on). */
const codeBytes = 15;

const newCode = (): string =>
  new Secret({ buffer: Uint8Array.from(randomBytes(codeBytes)).buffer }).base32.replaceAll(
    /.{4}(?=.)/gu,
    '$&-',
  );

/** Ignores case and separators. */
const hashOf = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^A-Z2-7]/gu, ''))
    .digest();

/** Replaces the account's codes by ten new ones; only their hashes are stored. */
export async function replaceRecoveryCodes(system: Kysely<Schema>, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, newCode);
  await dropRecoveryCodes(system, accountId);
  await system
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ account_id: accountId, code_hash: hashOf(code) })))
    .execute();
  return codes;
}

export async function dropRecoveryCodes(system: Kysely<Schema>, accountId: string): Promise<void> {
  await system.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
}

/** Deletes a code; false when it does not exist. */
export async function consumeRecoveryCode(
  system: Kysely<Schema>,
  accountId: string,
  code: string,
): Promise<boolean> {
  const { numDeletedRows } = await system
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hashOf(code))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(system: Kysely<Schema>, accountId: string): Promise<number> {
  const { left } = await system
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return left;
}
