import { rowLock, type Schema } from '@riskboard/db';
import type { Kysely, Transaction } from 'kysely';
import { countRecoveryCodes, dropRecoveryCodes } from './recovery-codes.ts';

/** Whether any organization of the person requires a second factor. */
export async function isRequired(system: Kysely<Schema>, accountId: string): Promise<boolean> {
  const found = await system
    .selectFrom('membership')
    .innerJoin('organization', 'organization.organization_id', 'membership.organization_id')
    .select('membership.organization_id')
    .where('membership.account_id', '=', accountId)
    .where('organization.require_second_factor', '=', true)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export async function secondFactorState(system: Kysely<Schema>, accountId: string) {
  const account = await system
    .selectFrom('account')
    .select('totp_enabled_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  const enabledAt = account?.totp_enabled_at ?? null;
  return {
    enabled: enabledAt !== null,
    enabledAt: enabledAt?.toISOString() ?? null,
    recoveryCodesLeft: await countRecoveryCodes(system, accountId),
    required: await isRequired(system, accountId),
  };
}

/**
 * Removes the second factor of an account, including one that is being set up.
 * @returns false when none was enabled
 */
export async function dropSecondFactor(system: Transaction<Schema>, accountId: string): Promise<boolean> {
  const before = await system
    .selectFrom('account')
    .select('totp_enabled_at')
    .where('id', '=', accountId)
    .modifyEnd(rowLock(system, { name: 'account', id: accountId, mode: 'no key update' }))
    .executeTakeFirst();
  await system
    .updateTable('account')
    .set({ totp_secret: null, totp_enabled_at: null, totp_last_step: null, totp_pending: null })
    .where('id', '=', accountId)
    .execute();
  await dropRecoveryCodes(system, accountId);
  return before?.totp_enabled_at !== null && before !== undefined;
}
