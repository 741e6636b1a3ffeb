import { changedEvent } from '@riskboard/contract';
import type { Caller } from '../lib/security/caller.ts';
import type { AfterCommit } from '../lib/publish.ts';

/** Tells an organisation what changed of it: itself, members by their accounts, or invitations. */
export const organizationChanges =
  (after: AfterCommit) =>
  (caller: Pick<Caller, 'organizationId' | 'accountId'>, ids: string[]): Promise<void> =>
    after.events(caller.organizationId, [
      changedEvent('organization.changed', { action: 'changed', by: caller.accountId }, ids),
    ]);
