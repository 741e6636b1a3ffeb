import { overview } from '@riskboard/contract/schemas';
import type { FastifyInstance } from 'fastify';
import { withOrganizationSnapshot } from '@riskboard/db';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import { afterCommit } from '../lib/publish.ts';
import { overviewChanges } from './changes.ts';
import { overviewHistory } from './history.ts';
import { overviewPriorities } from './priorities.ts';
import { recompute } from './recompute.ts';

const notBuilt = (): Promise<never> =>
  Promise.reject(new Failure('not_found', 'This call is not built yet.'));

/** Numbers of the overview and how they came about. */
export function overviewRoutes(app: FastifyInstance, deps: Deps): void {
  const services = { deps, after: afterCommit(deps, app.log) };

  serve(
    app,
    { tag: 'overview', table: overview },
    {
      metrics: notBuilt,
      riskCategories: notBuilt,
      exposureTrend: notBuilt,
      changes: ({ query, caller }) =>
        withOrganizationSnapshot(deps.database, caller.organizationId, (trx) => overviewChanges(trx, query)),
      explain: notBuilt,
      priorities: ({ caller }) =>
        withOrganizationSnapshot(deps.database, caller.organizationId, overviewPriorities),
      history: ({ query, caller }) =>
        withOrganizationSnapshot(deps.database, caller.organizationId, (trx) => overviewHistory(trx, query)),
      recompute: (context) => recompute(services, context),
    },
  );
}
