import { changedEvent } from '@riskboard/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from '../deps.ts';
import { type AfterCommit, afterCommit } from '../lib/publish.ts';
import type { Caller } from '../lib/security/caller.ts';

/** Publishes a change of an organization, its members (by account ids) or its invitations. */
export const organizationPublisher =
  (after: AfterCommit) =>
  (caller: Pick<Caller, 'organizationId' | 'accountId'>, ids: string[]): Promise<void> =>
    after.events(caller.organizationId, [
      changedEvent('organization.changed', { action: 'changed', by: caller.accountId }, ids),
    ]);

/** Publishes a change of a member in each of these organizations. */
export async function publishMemberChange(
  deps: Deps,
  log: FastifyBaseLogger,
  { accountId, organizationIds }: { accountId: string; organizationIds: readonly string[] },
): Promise<void> {
  const publish = organizationPublisher(afterCommit(deps, log));
  await Promise.all(
    organizationIds.map((organizationId) => publish({ organizationId, accountId }, [accountId])),
  );
}
