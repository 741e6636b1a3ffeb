import type { overview } from '@riskboard/contract';
import { requestRecompute, withOrganization } from '@riskboard/db';
import { formatCount, plural } from '@riskboard/domain';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import type { Context } from '../lib/http/serve.ts';
import type { AfterCommit } from '../lib/publish.ts';

/** Queues a recomputation; a request while one waits gets that one. */
export async function recompute(
  services: { deps: Deps; after: AfterCommit },
  { caller, request, reply }: Context<typeof overview.recompute>,
) {
  const job = await withOrganization(services.deps.database, caller.organizationId, (trx) =>
    requestRecompute(trx, caller.accountId),
  );
  return acceptJob(services, {
    request,
    reply,
    job,
    kind: 'metrics.recompute',
    message: 'Checking the numbers in the background.',
    done: (result) => ({
      result,
      message: `${plural(result.checked, 'number')} checked, ${formatCount(result.repaired)} repaired.`,
    }),
  });
}
