import type { overview } from '@riskboard/contract';
import { requestRecompute, withOrganization } from '@riskboard/db';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import type { Context } from '../lib/http/serve.ts';
import type { AfterCommit } from '../lib/publish.ts';

/** Queues a recomputation; a request while one waits gets that one. */
export async function recompute(
  { deps, after }: { deps: Deps; after: AfterCommit },
  { caller, reply }: Context<typeof overview.recompute>,
) {
  const job = await withOrganization(deps.database, caller.organizationId, (trx) =>
    requestRecompute(trx, caller.accountId),
  );
  return acceptJob(after, { reply, job, message: 'Checking the numbers in the background.' });
}
