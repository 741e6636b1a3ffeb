import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from '../deps.ts';
import { afterCommit } from '../lib/publish.ts';
import { organizationChanges } from '../organizations/tell.ts';

/** Tells the pages that show the members of these organisations. */
export async function memberChanged(
  deps: Deps,
  log: FastifyBaseLogger,
  { accountId, organizationIds }: { accountId: string; organizationIds: readonly string[] },
): Promise<void> {
  await Promise.all(
    organizationIds.map((organizationId) =>
      organizationChanges(afterCommit(deps, log))({ organizationId, accountId }, [accountId]),
    ),
  );
}
